"""From results and theory to figures: plan, collect, draw, caption. Never imports torch."""
