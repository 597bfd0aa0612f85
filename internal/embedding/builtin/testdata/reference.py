"""Makes golden.json: reference vectors of all-MiniLM-L6-v2 in float32, from the published weights and independently of
the Go code. The tokens come from Hugging Face's tokenizers, the model is written out in numpy.

    pip install numpy safetensors tokenizers
    python reference.py DIRECTORY_WITH_model.safetensors_AND_vocab.txt > golden.json
"""

import base64
import json
import math
import sys

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

TURNS = [
    # one token
    "hello", "dog", "42", "?", "Rust", "the",
    # short
    "That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day",
    "ok, thanks!", "What did Ana say about the deploy?", "no", "I moved to Lisbon last month.",
    "We switched from MySQL to PostgreSQL in March 2026.", "My sister's name is Ingrid; she is a nurse.",
    "don't use tabs", "e-mail: someone@example.org, tel. +49 30 1234-567", "C++ vs. C# vs. F#",
    # accents and other scripts
    "Zoë ate a crème brûlée at the Café Müller in São Paulo.", "naïve façade, coöperate, Ångström, İstanbul",
    "Привет, как дела?", "Καλημέρα, τι κάνεις;", "שלום עולם", "مرحبا بالعالم", "สวัสดีชาวโลก", "नमस्ते दुनिया",
    "今天天气很好，我们去公园吧。", "東京タワーに行きました。", "안녕하세요 세계", "我喜欢 Go 和 Rust 语言",
    # German compounds
    "Donaudampfschifffahrtsgesellschaftskapitän", "Die Krankenversicherungsbeitragserhöhung ärgert mich.",
    "Rechtsschutzversicherungsgesellschaften prüfen Straßenverkehrsordnungen.",
    # emoji and signs
    "great job 🎉🎉", "👍", "I ❤ this 😀 so much", "price: 5 € or £4, ½ cup, 10 ≠ 11, x² → y™",
    # code and paths
    "func main() { fmt.Println(\"hi\") }", "SELECT id, name FROM users WHERE email LIKE '%@example.org' LIMIT 10;",
    "/usr/local/lib/python3.12/site-packages/numpy/__init__.py", "if err != nil { return nil, fmt.Errorf(\"open %s: %w\", path, err) }",
    "git commit -m 'fix: off-by-one in parser' && git push origin main", "0x7ffdeadbeef 3.14159 1e-12 2026-03-18T09:30:00Z",
    # odd
    "", "   \t\n ", "[CLS] [SEP] [MASK] are plain text here", "a" * 101 + " tail", "b" * 100, "tab\there\u200bzero\u00adwidth\u0000nul",
    # long
    "When we met in the old harbour office, Tom explained that the schedule had slipped again because the supplier of the "
    "valves went bankrupt, and that nobody had told the customer. Maria wants the report by Friday, with the costs by "
    "month, the risks, and one page for the board that can be read without the rest.",
    " ".join(f"Step {i}: open the panel, read gauge number {i * 7 % 13}, write it down and close the panel." for i in range(1, 12)),
    # more than one window
    " ".join(f"On day {i} the crew sailed {i * 17 % 29} miles and ate {i * 5 % 11} oranges." for i in range(1, 31)),
    " ".join(f"Room {i} is painted {c} and holds {i * 3} chairs." for i, c in zip(range(1, 61), ["red", "blue", "green"] * 20)),
    # more than four windows
    " ".join(f"Chapter {i} tells how {n} crossed the mountains in winter." for i, n in zip(range(1, 151), ["Ada", "Ben", "Cleo", "Dov", "Eve"] * 30)),
]

LAYERS, HEADS, WINDOW, MAX_WINDOWS = 6, 12, 254, 4


def tokenizer(directory):
    vocab = {line.rstrip("\n"): i for i, line in enumerate(open(f"{directory}/vocab.txt", encoding="utf-8"))}
    t = Tokenizer(models.WordPiece(vocab, unk_token="[UNK]", max_input_chars_per_word=100))
    t.normalizer = normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True)
    t.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return t, vocab


erf = np.vectorize(math.erf, otypes=[np.float64])


def norm(x, weight, bias):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-12) * weight + bias


def window_vector(w, ids):
    n = len(ids)

    def linear(name, x):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    def layer_norm(name, x):
        return norm(x, w[name + ".weight"], w[name + ".bias"])

    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:n]
    x = layer_norm("embeddings.LayerNorm", x + w["embeddings.token_type_embeddings.weight"][0])
    for i in range(LAYERS):
        p = f"encoder.layer.{i}."
        q, k, v = (linear(p + "attention.self." + s, x).reshape(n, HEADS, -1).transpose(1, 0, 2) for s in ("query", "key", "value"))
        s = q @ k.transpose(0, 2, 1) / math.sqrt(q.shape[-1])
        s = np.exp(s - s.max(-1, keepdims=True))
        s /= s.sum(-1, keepdims=True)
        a = (s @ v).transpose(1, 0, 2).reshape(n, -1)
        x = layer_norm(p + "attention.output.LayerNorm", x + linear(p + "attention.output.dense", a))
        h = linear(p + "intermediate.dense", x)
        h = (h * 0.5 * (1 + erf(h / math.sqrt(2)))).astype(np.float32)
        x = layer_norm(p + "output.LayerNorm", x + linear(p + "output.dense", h))
    v = x.mean(0)
    return v / np.linalg.norm(v)


def text_vector(w, ids, start, end):
    n = len(ids)
    count = max(1, -(-n // WINDOW))
    if count <= MAX_WINDOWS:
        spans = [(i * n // count, (i + 1) * n // count) for i in range(count)]
    else:
        spans = [(i * (n - WINDOW) // 3, i * (n - WINDOW) // 3 + WINDOW) for i in range(MAX_WINDOWS)]
    v = sum(window_vector(w, [start] + ids[a:b] + [end]) for a, b in spans)
    return v / np.linalg.norm(v)


def main(directory):
    t, vocab = tokenizer(directory)
    w = load_file(f"{directory}/model.safetensors")
    print("[")
    for i, text in enumerate(TURNS):
        ids = t.encode(text, add_special_tokens=False).ids
        v = text_vector(w, ids, vocab["[CLS]"], vocab["[SEP]"])
        ints = np.rint(v / np.abs(v).max() * 32767).astype("<i2")  # the direction to five digits: cosine ignores the scale
        row = {"text": text, "ids": ids, "vector": base64.b64encode(ints.tobytes()).decode()}
        print(json.dumps(row, ensure_ascii=True) + ("," if i + 1 < len(TURNS) else ""))
    print("]")


main(sys.argv[1])
