# Figures: the data of each in one parquet file, then its drawings. The theorems need no runs.


rule collect_figure:
    input:
        figure_scores,
    output:
        points="results/{scale}/figures/{sweep_figure}.parquet",
        claims="results/{scale}/figures/{sweep_figure}.claims.parquet",
    log:
        "results/{scale}/logs/collect_figure/{sweep_figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=step_code("demix.figures.collect", "demix.claims.collect"),
        plan=lambda wildcards: json.dumps(FIGURES[wildcards.sweep_figure]),
    message:
        "collect {wildcards.sweep_figure}"
    shell:
        "python -m demix.collect_figure --plan {params.plan:q} --scores {input:q} --out {output.points:q} > {log:q} 2>&1"


rule collect_traces:
    input:
        codes=traces_codes,
        data=traces_card,
    output:
        "results/{scale}/figures/{traces_figure}.parquet",
    log:
        "results/{scale}/logs/collect_traces/{traces_figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=step_code("demix.figures.traces"),
        plan=lambda wildcards: json.dumps(FIGURES[wildcards.traces_figure]),
    message:
        "collect {wildcards.traces_figure}"
    shell:
        "python -m demix.collect_traces --plan {params.plan:q} --codes {input.codes:q} --data {input.data:q} "
        "--out {output:q} > {log:q} 2>&1"


rule collect_latents:
    input:
        results=latents_results,
        data=latents_cards,
    output:
        "results/{scale}/figures/{latents_figure}.parquet",
    log:
        "results/{scale}/logs/collect_latents/{latents_figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=step_code("demix.figures.latents"),
        plan=lambda wildcards: json.dumps(FIGURES[wildcards.latents_figure]),
        folders=lambda wildcards, input: folders_of(input.results),
    message:
        "collect {wildcards.latents_figure}"
    shell:
        "python -m demix.collect_latents --plan {params.plan:q} --results {params.folders:q} --data {input.data:q} "
        "--out {output:q} > {log:q} 2>&1"


rule check_theorems:
    output:
        "results/{scale}/tables/{theory_figure}.parquet",
    log:
        "results/{scale}/logs/check_theorems/{theory_figure}.log",
    priority: 50
    localrule: True
    conda:
        "../envs/training.yaml"
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=step_code("demix.theory.checks", "demix.theory.reach"),
        plan=lambda wildcards: json.dumps(FIGURES[wildcards.theory_figure]),
    message:
        "check theorems: {wildcards.theory_figure}"
    shell:
        "python -m demix.check_theorems --plan {params.plan:q} --out {output:q} > {log:q} 2>&1"


rule render_figure:
    input:
        unpack(figure_data),
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
        code=step_code("demix.figures.draw", "demix.claims.collect"),
        stem="results/{scale}/figures/{figure}",
    message:
        "render {wildcards.figure}: see results/{wildcards.scale}/figures/{wildcards.figure}.png"
    shell:
        "python -m demix.render_figure {input.points:q} --out {params.stem:q} > {log:q} 2>&1"


for name in EXPERIMENT.figures:

    rule:
        name:
            name
        input:
            figure_files(name),
        localrule: True
