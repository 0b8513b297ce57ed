"""From scores and theory to figures: plan, collect, draw. Never imports torch."""
