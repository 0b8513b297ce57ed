"""What holds for every claim: what the papers print meets it."""

import pytest
from printed import CLAIMS, TABLE_OF, printed_numbers
from project import CONFIG

from demix.claims.common.collect import statements
from demix.claims.common.judging import judge
from demix.experiment.experiment import load_experiment
from demix.tables.published import published_table

OF_TABLES = [claim for claim in CLAIMS.values() if len(published_table(TABLE_OF[claim.id]))]
"""The papers print no numbers for figures."""

PRINTED = [claim.id for claim in OF_TABLES if claim.as_printed]
STRUCTURAL = [claim.id for claim in OF_TABLES if claim.structural]


@pytest.mark.parametrize("claim", PRINTED)
def test_the_printed_numbers_meet_every_claim(claim):
    judgement = judge(CLAIMS[claim], printed_numbers(TABLE_OF[claim]), "printed")
    assert judgement.state == "met", judgement
    assert judgement.checks


@pytest.mark.parametrize("claim", STRUCTURAL)
def test_the_printed_numbers_have_the_structure_that_small_scales_are_judged_by(claim):
    judgement = judge(CLAIMS[claim], printed_numbers(TABLE_OF[claim]), "structural")
    assert judgement.state == "met", judgement


def test_every_claim_has_a_statement_and_a_table_with_printed_numbers_or_a_figure():
    assert set(CLAIMS) == set(statements().index)
    figures = load_experiment(CONFIG).figures
    for claim in CLAIMS.values():
        assert claim in OF_TABLES or TABLE_OF[claim.id] in figures
        assert claim not in OF_TABLES or claim.metric in set(published_table(TABLE_OF[claim.id])["metric"])
        assert claim.as_printed or claim.structural
