"""Files of tensors that are either as they were written or refused."""

import hashlib
import os
import random
from contextlib import suppress
from pathlib import Path

import pytest
import torch

from footfall.training.config.checksummed_file import ChecksumError, load_checksummed, to_checksummed_bytes

CPU = torch.device("cpu")
CONTENT = {"step": 7, "network": {"W0": torch.arange(20_000.0)}, "random": {"cpu": torch.get_rng_state()}}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.pt"
    path.write_bytes(to_checksummed_bytes(CONTENT))
    return path


def test_saved_content_is_loaded_back(file: Path):
    data = load_checksummed(file, CPU)
    assert data["step"] == 7
    assert torch.equal(data["network"]["W0"], CONTENT["network"]["W0"])


def test_torch_itself_reads_it_too(file: Path):
    assert torch.load(file, weights_only=True)["step"] == 7


@pytest.mark.parametrize("start", range(0, 80_000, 8_000))
def test_a_page_of_zeros_anywhere_is_noticed(file: Path, start: int):
    """Torch would take it for weights that are zero."""
    data = bytearray(file.read_bytes())
    data[start : start + 4096] = bytes(4096)
    file.write_bytes(data)
    with pytest.raises(ChecksumError):
        load_checksummed(file, CPU)


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 5_000, -33, -32, -1])
def test_a_file_that_was_cut_off_is_noticed(file: Path, length: int):
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(ChecksumError):
        load_checksummed(file, CPU)


def test_no_code_of_a_file_is_run(file: Path, tmp_path: Path):
    class Evil:
        def __reduce__(self):
            return (os.system, (f"touch '{tmp_path / 'evil'}'",))

    file.write_bytes(to_checksummed_bytes(Evil()))
    with pytest.raises(ChecksumError):
        load_checksummed(file, CPU)
    assert not (tmp_path / "evil").exists()


def test_damage_with_a_right_checksum_is_noticed(file: Path):
    content = file.read_bytes()[:-32]
    generator = random.Random(4)
    for _ in range(60):
        damaged = bytearray(content)
        for _ in range(3):
            damaged[generator.randrange(len(damaged))] = generator.randrange(256)
        cut = bytes(damaged[: generator.randrange(len(damaged))]) if generator.random() < 0.3 else bytes(damaged)
        file.write_bytes(cut + hashlib.sha256(cut).digest())
        with suppress(ChecksumError):
            load_checksummed(file, CPU)
