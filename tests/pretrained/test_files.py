"""Files: a directory, shards, the hub's cache, and what is said where there is no network."""

import fnmatch
import json
import os
import pickle
import subprocess
import sys

import hub_files
import huggingface_hub
import pytest
import torch
from hub_files import save
from softlookup.pretrained.files import WANTED, find, read_tensors
from softlookup.pretrained.gpt2 import load_gpt2
from transformers import GPT2Config, GPT2LMHeadModel

NAME, COMMIT = "someone/tiny-gpt2", "1234567890abcdef1234567890abcdef12345678"


@pytest.fixture
def model(generator):
    config = GPT2Config(vocab_size=23, n_positions=29, n_embd=10, n_head=5, n_layer=2)
    return hub_files.scattered(GPT2LMHeadModel(config), generator, torch.float32)


@pytest.fixture
def saved(model, tmp_path):
    return save(model, tmp_path / "gpt2")


def equal(one, other):
    other = other.state_dict()
    return all(torch.equal(tensor, other[name]) for name, tensor in one.state_dict().items())


def test_shards_are_read_as_one(model, saved, tmp_path):
    sharded = save(model, tmp_path / "sharded", max_shard_size="3KB")
    assert len([*sharded.glob("model-*.safetensors")]) > 2
    assert not (sharded / "model.safetensors").exists()
    assert equal(load_gpt2(sharded).model, load_gpt2(saved).model)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (
            lambda path, index: min(path.glob("model-0*")).unlink(),
            "has no model-00001-of",
        ),
        (lambda path, index: index.write_text("{}"), "has no weight_map"),
        (lambda path, index: index.write_text("[1]"), "holds a list; expected named fields"),
        (lambda path, index: index.write_text("{"), "is no JSON file"),
        (
            lambda path, index: index.write_text('{"weight_map": {"a": "../model.safetensors"}}'),
            r"names '\.\./model\.safetensors'; expected files beside it",
        ),
    ],
)
def test_shards_and_index_that_differ_are_refused(spoil, words, model, tmp_path):
    sharded = save(model, tmp_path / "sharded", max_shard_size="3KB")
    spoil(sharded, sharded / "model.safetensors.index.json")
    with pytest.raises(ValueError, match=words):
        load_gpt2(sharded)


def test_a_shard_of_another_version_is_refused(model, tmp_path):
    sharded = save(model, tmp_path / "sharded", max_shard_size="3KB")
    index = sharded / "model.safetensors.index.json"
    content = json.loads(index.read_text())
    del content["weight_map"]["transformer.wte.weight"]
    index.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"differ in \['transformer\.wte\.weight'\]"):
        load_gpt2(sharded)


def test_pickles_are_not_read(saved):
    class Trap:
        def __reduce__(self):
            return os.mkdir, (str(saved / "trapped"),)

    (saved / "model.safetensors").unlink()
    (saved / "pytorch_model.bin").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(ValueError, match=r"pytorch_model\.bin, which are pickles") as refusal:
        load_gpt2(saved)
    assert "save_pretrained('converted')" in str(refusal.value)
    assert not (saved / "trapped").exists()


def test_a_directory_without_weights_says_what_it_holds(saved):
    (saved / "model.safetensors").rename(saved / "weights.safetensors")
    with pytest.raises(ValueError, match=r"has no model\.safetensors .*weights\.safetensors"):
        load_gpt2(saved)
    (saved / "config.json").unlink()
    with pytest.raises(ValueError, match=r"has no config\.json; expected one"):
        load_gpt2(saved)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "pointer of Git LFS"),
        (b"\0" * 2000, "download it again"),
        (None, "download it again"),
    ],
)
def test_a_file_that_is_none_is_refused(content, words, saved):
    path = saved / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-7] if content is None else content)
    with pytest.raises(ValueError, match=words):
        load_gpt2(saved)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("./no/such/place", "does not exist; expected a directory with config.json"),
        ("a/b/c", "does not exist"),
        ("", "does not exist"),
        ("..", "has no config"),
        ("some--one/gpt2", "does not exist"),
    ],
)
def test_what_is_neither_a_directory_nor_a_name_is_refused(source, words, tmp_path, monkeypatch):
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    with pytest.raises(ValueError, match=words):
        load_gpt2(source)


def test_a_path_is_never_looked_up_on_the_hub(tmp_path, saved, monkeypatch):
    monkeypatch.setattr(huggingface_hub, "snapshot_download", None)
    with pytest.raises(ValueError, match="does not exist"):
        find(tmp_path / "gpt3")
    with pytest.raises(ValueError, match="is a file; expected the directory"):
        find(saved / "config.json")
    with pytest.raises(ValueError, match="revision is 'main'; expected no revision"):
        find(saved, revision="main")
    monkeypatch.chdir(tmp_path)
    assert find("gpt2").samefile(saved)  # a directory comes before the hub's model of that name


def test_of_a_repository_only_what_is_read_is_downloaded(saved, monkeypatch):
    calls = []

    def download(name, **choices):
        calls.append((name, choices))
        return str(saved)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    assert equal(load_gpt2(NAME, revision="v2").model, load_gpt2(saved).model)
    assert calls == [(NAME, {"revision": "v2", "allow_patterns": WANTED})]
    listed = [
        *("config.json", "model.safetensors", "pytorch_model.bin", "tf_model.h5", "vocab.json"),
        *("model.fp16.safetensors", "onnx/model.onnx", "64.tflite", "onnx/config.json"),
        *("model-00001-of-00002.safetensors", "model.safetensors.index.json"),
    ]
    wanted = {name for name in listed if any(fnmatch.fnmatch(name, one) for one in WANTED)}
    assert wanted == {
        *("config.json", "model.safetensors"),
        *("model-00001-of-00002.safetensors", "model.safetensors.index.json"),
    }


ASK = """
import sys
from softlookup.pretrained.gpt2 import load_gpt2
for revision in sys.argv[2:]:
    try:
        print("loaded", load_gpt2(sys.argv[1], revision or None).report.n_parameters)
    except Exception as error:
        print(type(error).__name__, error)
"""


def ask(home, *revisions, **environment):
    """Load by name in a process of its own, because the hub's client reads its settings once."""
    kept = {name: os.environ[name] for name in os.environ if not name.upper().endswith("_PROXY")}
    done = subprocess.run(
        [sys.executable, "-c", ASK, NAME, *revisions],
        env=kept | {"HF_HOME": str(home)} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    "environment",
    [
        {"HF_HUB_OFFLINE": "1"},
        # Nothing listens on this port: the network is there, the hub is not.
        {"HF_HUB_OFFLINE": "0", "HF_ENDPOINT": "http://127.0.0.1:9"},
    ],
)
def test_without_a_network_it_says_what_to_do(environment, tmp_path):
    (said,) = ask(tmp_path, "v2", **environment)
    assert said.startswith(f"ConnectionError {NAME} is no directory here")
    assert "Without a network, download it on another computer: " in said
    assert f"hf download {NAME} config.json model.safetensors --revision v2 --local-dir" in said
    assert "give its path in place of the name" in said


def test_without_a_network_the_hubs_cache_serves(model, saved, tmp_path):
    repository = tmp_path / "hub" / "models--someone--tiny-gpt2"
    save(model, repository / "snapshots" / COMMIT)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text(COMMIT)
    count = load_gpt2(saved).report.n_parameters
    *said, refusal = ask(tmp_path, "", "main", COMMIT, "v2", HF_HUB_OFFLINE="1")
    assert said == [f"loaded {count}"] * 3
    assert refusal.startswith("ConnectionError")


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("RepositoryNotFoundError", "the hub shows no model of that name"),
        ("RevisionNotFoundError", "but no revision 'v2' of it"),
    ],
)
def test_what_the_hub_does_not_have_is_told_apart(kind, words, monkeypatch):
    def download(name, **choices):
        error = getattr(huggingface_hub.errors, kind)
        raise error.__new__(error)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    with pytest.raises(ValueError, match=words):
        find(NAME, revision="v2")


def test_tensors_come_by_their_names(model, saved):
    held = model.state_dict()
    held.pop("lm_head.weight")  # the table of embeddings, stored once
    assert read_tensors(saved).keys() == held.keys()
    assert all(torch.equal(tensor, held[name]) for name, tensor in read_tensors(saved).items())
