# A target of its own for every table and figure. Included last: none may have the name of another rule.
with clear_errors():
    TARGETS = OUTPUTS.targets(rule.name for rule in workflow.rules)


for target, files in TARGETS.items():

    rule:
        name:
            target
        input:
            files,
        localrule: True
