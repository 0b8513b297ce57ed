"""Renders 3DIdent from numbers alone: latents in, shards of images out.

A program of its own that needs bpy, numpy, pillow and pyarrow, never demix: Blender wants another Python and another
numpy than training does. Modules without Blender in them (scene, latents, teapot) need numpy alone.
"""
