# Figures: the data of each in one parquet file, then its drawings. The spec of its kind declares what it is made of: scores,
# histories of trainings, codes, rendered images, or nothing at all; and in which folder its data lies, figures or tables.


rule collect_figure:
    input:
        unpack(OUTPUTS.figure_parts),
    output:
        points="results/{scale}/{place}/{figure}.parquet",
        claims="results/{scale}/{place}/{figure}.claims.parquet",
    log:
        "results/{scale}/logs/collect_figure/{place}/{figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=OUTPUTS.figure_code,
        printed=OUTPUTS.printed,
        plan=OUTPUTS.figure_plan,
        options=OUTPUTS.figure_options,
    message:
        "collect {wildcards.figure}"
    shell:
        "python -m demix.collect_figure --plan {params.plan:q} {params.options:q} --out {output.points:q} > {log:q} 2>&1"


rule render_figure:
    input:
        unpack(OUTPUTS.figure_data),
    output:
        picture=report(
            "results/{scale}/figures/{figure}.svg",
            caption="report/figure.rst",
            category="Figures",
            labels={"figure": "{figure}", "scale": "{scale}"},
        ),
        others=multiext("results/{scale}/figures/{figure}", ".pdf", ".png", ".md"),
    log:
        "results/{scale}/logs/render_figure/{figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=OUTPUTS.figure_code,
        stem="results/{scale}/figures/{figure}",
    message:
        "render {wildcards.figure}: see results/{wildcards.scale}/figures/{wildcards.figure}.png"
    shell:
        "python -m demix.render_figure {input.points:q} --out {params.stem:q} > {log:q} 2>&1"
