"""Quantities are read, rounded and written as Kubernetes does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.api.quantity import MAX_AMOUNT, NANO, Quantity, QuantityError, amount_of, format_quantity, parse_quantity

READ = [
    # text, milli-value, value, canonical text
    ("0", 0, 0, "0"),
    ("1", 1000, 1, "1"),
    ("100m", 100, 1, "100m"),
    ("0.1", 100, 1, "100m"),
    ("1.5", 1500, 2, "1500m"),
    (".5", 500, 1, "500m"),
    ("5.", 5000, 5, "5"),
    ("+3", 3000, 3, "3"),
    ("-1.5", -1500, -2, "-1500m"),
    ("1n", 1, 1, "1n"),
    ("0.1n", 1, 1, "1n"),
    ("1500u", 2, 1, "1500u"),
    ("1k", 1_000_000, 1000, "1k"),
    ("1000k", 10**9, 10**6, "1M"),
    ("1Ki", 1024_000, 1024, "1Ki"),
    ("1024Ki", 1024 * 1024 * 1000, 1024 * 1024, "1Mi"),
    ("1.5Gi", 1536 * 2**20 * 1000, 1536 * 2**20, "1536Mi"),
    ("0.5Ki", 512_000, 512, "512"),
    ("0.0001Ki", 103, 1, "102400u"),
    ("1E", 10**21, 10**18, "1E"),
    ("1e3", 1_000_000, 1000, "1e3"),
    ("1E3", 1_000_000, 1000, "1e3"),
    ("12e6", 12 * 10**9, 12 * 10**6, "12e6"),
    ("5e-3", 5, 1, "5e-3"),
    ("1e-12", 1, 1, "1e-9"),
    ("0e99999", 0, 0, "0"),
    ("128974848000m", 128974848000, 128974848, "128974848"),
    ("8Ei", MAX_AMOUNT * 1000, MAX_AMOUNT, str(MAX_AMOUNT)),
]


@pytest.mark.parametrize(("text", "milli", "whole", "canonical"), READ, ids=[row[0] for row in READ])
def test_a_quantity_is_read_rounded_up_and_written_in_canonical_form(text: str, milli: int, whole: int, canonical: str) -> None:
    quantity = parse_quantity(text)

    assert (quantity.milli_value(), quantity.value(), str(quantity)) == (milli, whole, canonical)


REFUSED = [
    ("1core", "'1core' has the unknown suffix 'core'"),
    ("1 ", "'1 ' has the unknown suffix ' '"),
    ("1mi", "'1mi' has the unknown suffix 'mi'"),
    ("1K", "'1K' has the unknown suffix 'K'"),
    ("1e", "'1e' has the unknown suffix 'e'"),
    ("1.2.3", "'1.2.3' has the unknown suffix '.3'"),
    ("1e99", "'1e99' is out of range: the exponent 99 is too large"),
    ("", "'' is not a quantity: write a number with a suffix such as 500m or 1Gi"),
    ("Mi", "'Mi' is not a quantity: write a number with a suffix such as 500m or 1Gi"),
    ("lots", "'lots' is not a quantity: write a number with a suffix such as 500m or 1Gi"),
    ("١", "'١' is not a quantity: write a number with a suffix such as 500m or 1Gi"),
    ("9" * 200, "'99999999999999999999…' is longer than any quantity (200 characters)"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[row[0][:20] or "empty" for row in REFUSED])
def test_what_is_no_quantity_is_quoted_and_explained(text: str, message: str) -> None:
    with pytest.raises(QuantityError) as refused:
        parse_quantity(text)

    assert str(refused.value) == message


def test_an_amount_that_no_scheduler_can_count_is_refused() -> None:
    assert amount_of(parse_quantity("8Ei"), milli=False) == MAX_AMOUNT
    with pytest.raises(QuantityError):
        amount_of(parse_quantity("8Ei"), milli=True)
    with pytest.raises(QuantityError):
        amount_of(parse_quantity("1e30"), milli=False)


@given(st.integers(-(10**28), 10**28), st.sampled_from(["DecimalSI", "DecimalExponent"]))
def test_what_is_written_reads_back_as_the_same_amount(nano: int, form: str) -> None:
    quantity = Quantity(nano, form)  # type: ignore[arg-type]

    assert parse_quantity(format_quantity(quantity)).nano == nano


@given(st.integers(-MAX_AMOUNT, MAX_AMOUNT))
def test_binary_amounts_read_back_too(units: int) -> None:
    assert parse_quantity(format_quantity(Quantity(units * NANO, "BinarySI"))).value() == units


@given(st.text(alphabet="0123456789.eEinumkKMGTP+- ", max_size=12))
def test_any_text_is_a_quantity_or_refused_and_canonical_text_stays_as_it_is(text: str) -> None:
    try:
        canonical = str(parse_quantity(text))
    except QuantityError:
        return

    assert str(parse_quantity(canonical)) == canonical


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(["", "m", "k", "Ki", "Mi", "u"]))
def test_more_is_never_read_as_less(smaller: int, difference: int, suffix: str) -> None:
    less, more = parse_quantity(f"{smaller}{suffix}"), parse_quantity(f"{smaller + difference}{suffix}")

    assert less.value() <= more.value()
    assert less.milli_value() <= more.milli_value()
