"""From scores to tables: plan, collect, judge, lay out, render."""
