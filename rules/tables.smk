# Tables: one parquet file for each with our numbers beside the printed ones, then its rendered forms.


rule collect:
    input:
        table_scores,
    output:
        "results/{scale}/tables/{table}.parquet",
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
        code=step_code("demix.tables.collect"),
        printed=lambda wildcards: published_digest(wildcards.table),
        plan=lambda wildcards: json.dumps(table_plan(EXPERIMENT, wildcards.table)),
    message:
        "collect {wildcards.table}"
    shell:
        "python -m demix.collect --plan {params.plan:q} --scores {input:q} --out {output:q} > {log:q} 2>&1"


rule render_table:
    input:
        "results/{scale}/tables/{table}.parquet",
    output:
        expand("results/{{scale}}/tables/{{table}}.{ending}", ending=paths.TABLE_FORMATS),
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
        code=step_code("demix.tables.formats"),
    message:
        "render {wildcards.table}: see results/{wildcards.scale}/tables/{wildcards.table}.txt"
    shell:
        "python -m demix.render {input:q} > {log:q} 2>&1"


for name in EXPERIMENT.tables:

    rule:
        name:
            name
        input:
            table_files(name),
        localrule: True
