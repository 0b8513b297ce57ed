"""The same program inside a Blender executable, whose Python needs pillow and pyarrow:

blender --background --factory-startup --python src/demix_render/in_blender.py -- --latents latents.npy --out ...
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from demix_render.shard import main

main(sys.argv[sys.argv.index("--") + 1 :])
