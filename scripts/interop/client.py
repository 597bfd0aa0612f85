"""Drives the server with the official Python SDK, and prints what it checked. Exit code 1 at the first difference.

Usage: python client.py ERA PROGRAM, or URL TOKEN_FILE instead of PROGRAM. ERA is 2025-11-25, 2026-07-28 or auto: the
client probes. Version 1 of the SDK speaks only 2025-11-25.
"""
import asyncio
import os
import sys
from contextlib import AsyncExitStack, asynccontextmanager

import mcp
from mcp.client.stdio import StdioServerParameters

ERA, TARGET = sys.argv[1:3]
MODERN = ERA != "2025-11-25"
HTTP = TARGET.startswith("http")
passed = 0


def check(what, holds, seen=None):
    global passed
    if not holds:
        sys.exit(f"{what}: {seen!r}")
    passed += 1


async def refused(what, call, code):
    try:
        got = await call
    except Exception as e:  # of a class that differs between the versions
        error = getattr(e, "error", None)
        check(what, getattr(error, "code", None) == code, e)
    else:
        check(what, False, got)


def version1():
    """The client of version 1 with the surface of version 2."""
    from mcp.client.stdio import stdio_client
    from mcp.client.streamable_http import streamablehttp_client

    @asynccontextmanager
    async def connect(target, headers):
        streams = streamablehttp_client(target, headers) if HTTP else stdio_client(target)
        async with AsyncExitStack() as stack:
            read, write = (await stack.enter_async_context(streams))[:2]
            session = await stack.enter_async_context(mcp.ClientSession(read, write))
            session.started = await session.initialize()
            yield session

    return connect


def version2():
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    @asynccontextmanager
    async def connect(target, headers):
        async with AsyncExitStack() as stack:
            if HTTP:
                web = await stack.enter_async_context(httpx2.AsyncClient(headers=headers))
                target = streamable_http_client(target, http_client=web)
            yield await stack.enter_async_context(mcp.Client(target, mode="legacy" if not MODERN else ERA))

    return connect


async def main():
    two = hasattr(mcp, "Client")
    target, headers = TARGET, {}
    if HTTP:
        with open(sys.argv[3]) as f:
            headers = {"Authorization": "Bearer " + f.read().strip()}
    else:
        target = StdioServerParameters(command=TARGET, env=dict(os.environ))
    async with (version2 if two else version1)()(target, headers) as client:
        version = client.protocol_version if two else client.started.protocolVersion
        check("version", version == ("2026-07-28" if MODERN else "2025-11-25"), version)
        tools = await client.list_tools()
        check("tools", len(tools.tools) == 9, tools)
        if MODERN:
            check("a list may be kept", tools.ttl_ms > 0 and tools.cache_scope == "private", tools)
        stored = await client.call_tool("store_episode", {"content": f"Yann moved to Rome. {sys.argv[0]} {ERA} {HTTP}"})
        body = stored.structured_content if two else stored.structuredContent
        check("store", bool(body and body.get("episode_id")), stored)
        found = await client.call_tool("retrieve", {"query": "Yann moved"})
        check("what was stored is found", body["episode_id"] in str(found), found)
        wrong = await client.call_tool("retrieve", {"nonsense": 1})
        check("a wrong argument is an error of the tool", wrong.is_error if two else wrong.isError, wrong)
        await refused("an unknown tool", client.call_tool("no_such_tool", {}), -32602)
        templates = await client.list_resource_templates()
        check("templates", len(templates.resource_templates if two else templates.resourceTemplates) == 3, templates)
        read = await client.read_resource("memory://episode/" + body["episode_id"])
        check("a turn", "Rome" in read.contents[0].text, read)
        if MODERN:
            check("a turn may be kept", read.ttl_ms > 0, read)
        await refused("an unknown item", client.read_resource("memory://episode/t99999"), -32602 if MODERN else -32002)
        prompt = await client.get_prompt("memory_context", {"message": "Where is Yann?"})
        check("prompt", "Where is Yann" in prompt.messages[0].content.text, prompt)
        await refused("a prompt without its argument", client.get_prompt("memory_context"), -32602)
        calls = await asyncio.gather(*(client.call_tool("retrieve", {"query": f"Yann {i}"}) for i in range(10)))
        check("ten calls at once", not any(c.is_error if two else c.isError for c in calls), calls)
        if not MODERN:
            await client.send_ping()
            check("ping", True)
    print(f"{passed} checks")


asyncio.run(main())
