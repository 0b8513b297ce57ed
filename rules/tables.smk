# Tables: one parquet file for each with our numbers beside the printed ones, then its rendered forms.


rule collect:
    input:
        scores=OUTPUTS.table_scores,
        data=OUTPUTS.table_cards,
    output:
        table="results/{scale}/tables/{table}.parquet",
        claims="results/{scale}/tables/{table}.claims.parquet",
    log:
        "results/{scale}/logs/collect/{table}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=OUTPUTS.table_code,
        printed=OUTPUTS.printed,
        plan=OUTPUTS.table_plan,
    message:
        "collect {wildcards.table}"
    shell:
        "python -m demix.collect --plan {params.plan:q} --scores {input.scores:q} --data {input.data:q} "
        "--out {output.table:q} > {log:q} 2>&1"


rule render_table:
    input:
        table="results/{scale}/tables/{table}.parquet",
        claims="results/{scale}/tables/{table}.claims.parquet",
    output:
        page=report(
            "results/{scale}/tables/{table}.html",
            caption="report/table.rst",
            category="Tables",
            labels={"table": "{table}", "scale": "{scale}", "as": "page"},
        ),
        numbers=report(
            "results/{scale}/tables/{table}.csv",
            caption="report/numbers.rst",
            category="Tables",
            labels={"table": "{table}", "scale": "{scale}", "as": "numbers"},
        ),
        text=multiext("results/{scale}/tables/{table}", ".md", ".tex", ".txt"),
    log:
        "results/{scale}/logs/render_table/{table}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=OUTPUTS.table_render_code,
    message:
        "render {wildcards.table}: see results/{wildcards.scale}/tables/{wildcards.table}.txt"
    shell:
        "python -m demix.render_table {input.table:q} > {log:q} 2>&1"
