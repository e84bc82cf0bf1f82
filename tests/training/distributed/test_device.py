"""Where a network is trained, and in which precision."""

import pytest
import torch

from footfall.training.config.config import ConfigError
from footfall.training.distributed.device import choose_device, device_failure
from footfall.training.networks.pfnn import PhaseFunctionedNetwork

CPU = torch.device("cpu")


def test_auto_takes_the_best_that_is_there():
    expected = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    assert choose_device("auto").type == expected
    assert choose_device("cpu") == CPU


def test_a_device_that_is_not_there_is_refused():
    missing = "mps" if torch.cuda.is_available() else "cuda"
    with pytest.raises(ConfigError, match=missing.upper()):
        choose_device(missing)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (torch.AcceleratorError("CUDA error: device lost\nCompile with TORCH_USE_CUDA_DSA."), "device lost): check"),
        (torch.AcceleratorError(), "(AcceleratorError): check"),
        (RuntimeError("CUDA error: unspecified launch failure\nand more"), "(CUDA error: unspecified launch failure)"),
        (RuntimeError("cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"), "stopped working"),
        (torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20 MiB."), "too little memory"),
        (RuntimeError("MPS backend out of memory (MPS allocated: 1 GB)"), "too little memory"),
    ],
)
def test_an_error_of_the_device_is_one_sentence(error: RuntimeError, words: str):
    failure = device_failure(error)
    assert failure is not None
    assert words in str(failure)
    assert "\n" not in str(failure)


def test_in_half_precision_the_network_is_nearly_the_same():
    torch.manual_seed(0)
    network, x, phase = PhaseFunctionedNetwork(20, 32, 10, dropout=0.0), torch.randn(64, 20), torch.rand(64)
    exact = network(x, phase)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        rounded = network(x, phase).float()
    assert (rounded - exact).abs().max() < 0.03 * exact.abs().max()
