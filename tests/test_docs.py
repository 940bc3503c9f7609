from scripts.nomenclature import TARGET, nomenclature


def test_the_nomenclature_says_what_the_code_has() -> None:
    assert TARGET.read_text("utf-8") == nomenclature(), "run: python scripts/nomenclature.py"
