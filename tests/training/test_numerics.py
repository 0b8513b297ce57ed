"""What decides the last bits of a result."""

import torch

from demix.training.numerics import differences, numerics


def test_the_record_of_the_numerics_names_what_decides_the_last_bits():
    record = numerics(torch.device("cpu"), "compiled with a compiler")
    assert record["backend"] == "compiled with a compiler"
    assert record["threads"] == torch.get_num_threads()
    assert record["torch"] == torch.__version__
    assert all(type(value) in (str, int) for value in record.values())  # what a checkpoint may hold
    assert differences(record, record | {"threads": 7}) == [f"threads {record['threads']} → 7"]
