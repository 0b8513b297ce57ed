"""The scene in Blender, set and rendered image by image. The only module that talks to bpy."""

import shutil
import tempfile
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector
from numpy.typing import NDArray

from demix_render.latents import Setting
from demix_render.scene import AREA, CAMERA, FILTER_WIDTH, GROUND, RUBBER, SPOT, SUN, TEAPOT, Preset
from demix_render.teapot import mesh

MEMORY = Path("/dev/shm")
"""Where images pass through: Blender gives them to files alone."""


class Renderer:
    """One scene that is set anew for every image. Blender has one scene a process and no way to begin anew.

    Args:
        preset: size and samples.
        device: "cpu", or a kind of GPU of Cycles; see `choose_device`.
        threads: of the CPU; pixels do not depend on it.
    """

    def __init__(self, preset: Preset, device: str, threads: int):
        bpy.ops.wm.read_factory_settings(use_empty=True)  # nothing of the user's own settings
        self.size = preset.size
        self.device = choose_device(device)
        self._scene = bpy.context.scene
        _set_cycles(self._scene, preset, device, threads)
        _set_output(self._scene, preset.size)
        _add_camera(self._scene)
        _add_fixed_lamps()
        self._spot = _add_spot()
        self._teapot, self._teapot_colours = _add_teapot()
        self._ground_colours = _add_ground()
        self._folder = Path(tempfile.mkdtemp(prefix="demix-render-", dir=MEMORY if MEMORY.is_dir() else None))
        self._scene.render.filepath = str(self._folder / "image.bmp")

    def render(self, setting: Setting, seed: int) -> NDArray:
        """One image, (size, size, 3) uint8.

        Args:
            setting: what differs from image to image.
            seed: of the noise.
        """
        self._teapot.location = setting.position
        self._teapot.rotation_euler = setting.rotation
        self._spot.location = setting.spot
        aim = Vector(setting.position) - Vector(setting.spot)
        self._spot.rotation_euler = aim.to_track_quat("-Z", "X").to_euler()
        self._spot.data.color = setting.spot_colour
        _paint(self._teapot_colours, setting.teapot_colour)
        _paint(self._ground_colours, setting.ground_colour)
        self._scene.cycles.seed = seed
        bpy.ops.render.render(write_still=True)
        return read_bitmap(self._folder / "image.bmp", self.size)

    def close(self) -> None:
        """Remove what it has left in memory."""
        shutil.rmtree(self._folder, ignore_errors=True)


def read_bitmap(path: Path, size: int) -> NDArray:
    """An uncompressed image of 24 bits, rows from below and padded to four bytes, as RGB (size, size, 3)."""
    content = path.read_bytes()
    start, stride = int.from_bytes(content[10:14], "little"), (3 * size + 3) // 4 * 4
    rows = np.frombuffer(content, np.uint8, size * stride, start).reshape(size, stride)[::-1, : 3 * size]
    return np.ascontiguousarray(rows.reshape(size, size, 3)[:, :, ::-1])


def version() -> str:
    """Of Blender, such as "4.5.15"."""
    return ".".join(map(str, bpy.app.version))


def choose_device(kind: str) -> str:
    """Make Cycles compute on the CPU or on the first GPU of a kind; returns its name.

    Raises:
        ValueError: this Blender knows no such kind, or there is no GPU of it.
    """
    if kind == "cpu":
        return f"CPU: {_cpu_model()}"
    preferences = bpy.context.preferences.addons["cycles"].preferences
    try:
        preferences.compute_device_type = kind.upper()
    except TypeError:
        raise ValueError(f"device: this Blender has no kind of GPU '{kind}'") from None
    preferences.get_devices()
    found = [device for device in preferences.devices if device.type == kind.upper()]
    if not found:
        raise ValueError(f"device: no GPU of kind '{kind}' was found; 'cpu' works everywhere")
    for device in preferences.devices:
        device.use = device == found[0]
    return f"{kind.upper()}: {found[0].name}"


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")


def _set_cycles(scene: Any, preset: Preset, device: str, threads: int) -> None:
    scene.render.engine = "CYCLES"
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.use_persistent_data = False  # it saves nothing here, and keeps the first image's seed for all
    cycles = scene.cycles
    cycles.device = "CPU" if device == "cpu" else "GPU"
    cycles.samples, cycles.use_adaptive_sampling = preset.samples, False
    cycles.max_bounces = 0  # direct light only: the look of the data set
    cycles.sampling_pattern = "TABULATED_SOBOL"  # as good as the default here, and a tenth cheaper
    cycles.use_light_tree = False
    cycles.light_sampling_threshold = 0.0
    cycles.sample_clamp_direct = cycles.sample_clamp_indirect = 0.0
    cycles.pixel_filter_type, cycles.filter_width = "BLACKMAN_HARRIS", FILTER_WIDTH
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_input_passes = "RGB_ALBEDO_NORMAL"
    # FAST is how Blender 2.91 did it, before a denoiser could be told that its guides are free of noise
    cycles.denoising_prefilter, cycles.denoising_quality = "FAST", "HIGH"
    cycles.denoising_use_gpu = False


def _set_output(scene: Any, size: int) -> None:
    render, settings = scene.render, scene.render.image_settings
    render.resolution_x = render.resolution_y = size
    render.resolution_percentage = 100
    render.use_compositing = render.use_sequencer = False
    render.film_transparent, render.dither_intensity = False, 0.0
    settings.file_format, settings.color_mode = "BMP", "RGB"
    scene.display_settings.display_device = "sRGB"
    view = scene.view_settings
    view.view_transform, view.look, view.exposure, view.gamma = "Standard", "None", 0.0, 1.0
    scene.world = bpy.data.worlds.new("dark")  # a world without light
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs["Strength"].default_value = 0.0


def _add(name: str, data: Any, location: tuple[float, float, float] = (0, 0, 0)) -> Any:
    thing = bpy.data.objects.new(name, data)
    thing.location = location
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _add_camera(scene: Any) -> None:
    data = bpy.data.cameras.new("camera")
    data.lens, data.sensor_width, data.sensor_fit = CAMERA.lens, CAMERA.sensor, "AUTO"
    data.clip_start, data.clip_end = CAMERA.clip
    scene.camera = _add("camera", data, CAMERA.position)
    scene.camera.rotation_euler = CAMERA.euler


def _add_fixed_lamps() -> None:
    sun = bpy.data.lights.new("sun", "SUN")
    sun.angle, sun.energy = SUN.angle, SUN.strength
    _add("sun", sun)
    area = bpy.data.lights.new("area", "AREA")
    area.shape, area.size, area.energy = "SQUARE", AREA.side, AREA.watts
    _add("area", area, AREA.position)


def _add_spot() -> Any:
    data = bpy.data.lights.new("spot", "SPOT")
    data.energy, data.shadow_soft_size = SPOT.watts, SPOT.radius
    data.spot_size, data.spot_blend = SPOT.cone, SPOT.blend
    return _add("spot", data)


def _add_teapot() -> tuple[Any, list[Any]]:
    """The teapot, and the inputs that take its colour."""
    vertices, faces = mesh()
    data = bpy.data.meshes.new("teapot")
    data.from_pydata(vertices.tolist(), [], faces)
    data.shade_smooth()
    material, colours = _rubber("teapot")
    data.materials.append(material)
    teapot = _add("teapot", data)
    teapot.scale = (TEAPOT.scale,) * 3
    teapot.rotation_mode = "XYZ"
    return teapot, colours


def _add_ground() -> list[Any]:
    """The ground; returns the inputs that take its colour."""
    half = GROUND.side / 2
    data = bpy.data.meshes.new("ground")
    corners = [(-half, -half, 0), (half, -half, 0), (half, half, 0), (-half, half, 0)]
    data.from_pydata(corners, [], [(0, 1, 2, 3)])
    material, colours = _rubber("ground")
    data.materials.append(material)
    _add("ground", data, (0, 0, GROUND.height))
    return colours


def _rubber(name: str) -> tuple[Any, list[Any]]:
    """The material, and the two inputs that take its colour."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    tree.nodes.clear()
    base, sheen, gloss = (tree.nodes.new(f"ShaderNodeBsdf{kind}") for kind in ("Diffuse", "Sheen", "Glossy"))
    base.inputs["Roughness"].default_value = 0.0
    sheen.distribution, sheen.inputs["Roughness"].default_value = "ASHIKHMIN", RUBBER.sheen_roughness
    gloss.distribution, gloss.inputs["Roughness"].default_value = "BECKMANN", RUBBER.gloss_roughness
    gloss.inputs["Color"].default_value = (*[RUBBER.gloss_grey] * 3, 1.0)
    covered = _mixed(tree, base, sheen, RUBBER.sheen_ior)
    glossy = _mixed(tree, covered, gloss, RUBBER.gloss_ior)
    output = tree.nodes.new("ShaderNodeOutputMaterial")
    tree.links.new(glossy.outputs[0], output.inputs["Surface"])
    return material, [base.inputs["Color"], sheen.inputs["Color"]]


def _mixed(tree: Any, below: Any, above: Any, ior: float) -> Any:
    """A shader over another one, by the Fresnel factor of an index of refraction."""
    fresnel, mix = tree.nodes.new("ShaderNodeFresnel"), tree.nodes.new("ShaderNodeMixShader")
    fresnel.inputs["IOR"].default_value = ior
    tree.links.new(fresnel.outputs[0], mix.inputs["Fac"])
    tree.links.new(below.outputs[0], mix.inputs[1])
    tree.links.new(above.outputs[0], mix.inputs[2])
    return mix


def _paint(inputs: list[Any], colour: tuple[float, float, float]) -> None:
    for entry in inputs:
        entry.default_value = (*colour, 1.0)
