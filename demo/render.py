"""Pictures with Cycles on the processor: no screen, no graphics card."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Quality:
    """Width and height in pixels, and the light paths per pixel before denoising."""

    width: int
    height: int
    samples: int


def prepare(scene: bpy.types.Scene) -> None:
    """Set the scene up for fast pictures, apart from the quality, which each picture sets."""
    scene.render.engine = "CYCLES"
    scene.render.use_persistent_data = True
    cycles = scene.cycles
    cycles.device = "CPU"
    cycles.use_denoising, cycles.denoiser = True, "OPENIMAGEDENOISE"
    cycles.denoising_prefilter = cycles.denoising_quality = "FAST"  # three times the pictures
    cycles.use_adaptive_sampling = False
    cycles.max_bounces = cycles.diffuse_bounces = cycles.glossy_bounces = 2
    cycles.caustics_reflective = cycles.caustics_refractive = False
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"


def render_frame(scene: bpy.types.Scene, frame: int, quality: Quality, file: Path) -> None:
    """Render one frame to a PNG file."""
    render = scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = quality.width, quality.height, 100
    scene.cycles.samples = quality.samples
    render.image_settings.file_format, render.image_settings.color_mode = "PNG", "RGB"
    render.filepath = str(file)
    scene.frame_set(frame)
    with quiet():
        bpy.ops.render.render(write_still=True, scene=scene.name)


def render_frames(
    scene: bpy.types.Scene, frames: Sequence[int], quality: Quality, folder: Path, topic: str
) -> list[Path]:
    """Render frames to a folder, with progress; return their files in order."""
    files: list[Path] = []
    begun = time.monotonic()
    for done, frame in enumerate(frames):
        files.append(folder / f"{topic}_{frame:04d}.png")
        render_frame(scene, frame, quality, files[-1])
        made = done + 1
        left = (time.monotonic() - begun) / made * (len(frames) - made)
        if made == len(frames) or made % 10 == 1 or made < 5:
            print(f"[{topic}] frame {made} of {len(frames)}, {left / 60:.1f} min left", flush=True)
    return files


def write_strip(pictures: Sequence[Path], file: Path) -> None:
    """Write pictures of one size side by side, separated by thin white lines."""
    columns: list[Pixels] = []
    for picture in pictures:
        pixels = read_pixels(picture)
        columns += [np.ones((len(pixels), 2, 4), dtype=np.float32), pixels]
    write_pixels(np.concatenate(columns[1:], axis=1), file)


def write_sheet(pictures: Sequence[Path], file: Path, columns: int) -> None:
    """Write pictures of one size in rows, separated by thin white lines."""
    every = [read_pixels(picture) for picture in pictures]
    height, width = every[0].shape[:2]
    rows = [every[start : start + columns] for start in range(0, len(every), columns)]
    sheet = np.ones(((height + 2) * len(rows) - 2, (width + 2) * columns - 2, 4), dtype=np.float32)
    for row, line in enumerate(reversed(rows)):
        for column, pixels in enumerate(line):
            bottom, left = row * (height + 2), column * (width + 2)
            sheet[bottom : bottom + height, left : left + width] = pixels
    write_pixels(sheet, file.resolve())


def read_pixels(file: Path) -> Pixels:
    """Return a picture's unchanged pixels (height, width, 4), the lowest row first."""
    image = bpy.data.images.load(str(file))
    image.colorspace_settings.name = "Non-Color"
    pixels = np.empty(image.size[0] * image.size[1] * 4, dtype=np.float32)
    image.pixels.foreach_get(pixels)
    shape = (image.size[1], image.size[0], 4)
    bpy.data.images.remove(image)
    return pixels.reshape(shape)


def write_pixels(pixels: Pixels, file: Path) -> None:
    """Write pixels (height, width, 4), the lowest row first, to a PNG file."""
    height, width = pixels.shape[:2]
    image = bpy.data.images.new(file.stem, width, height, alpha=False)
    image.colorspace_settings.name = "Non-Color"
    image.pixels.foreach_set(np.ascontiguousarray(pixels, dtype=np.float32).ravel())
    image.file_format = "PNG"
    image.filepath_raw = str(file)
    image.save()
    bpy.data.images.remove(image)


def write_video(pictures: Sequence[Path], quality: Quality, rate: int, file: Path) -> None:
    """Join pictures to an H.264 video by Blender's own FFmpeg."""
    scene = bpy.data.scenes.new("Video")
    scene.view_settings.view_transform = "Standard"
    strips = scene.sequence_editor_create().strips
    strip = strips.new_image("Frames", str(pictures[0]), channel=1, frame_start=1)
    for picture in pictures[1:]:
        strip.elements.append(picture.name)
    scene.frame_start, scene.frame_end = 1, len(pictures)
    render = scene.render
    render.fps = rate
    render.resolution_x, render.resolution_y, render.resolution_percentage = quality.width, quality.height, 100
    if hasattr(render.image_settings, "media_type"):  # since Blender 5.0
        render.image_settings.media_type = "VIDEO"
    render.image_settings.file_format = "FFMPEG"
    render.ffmpeg.format, render.ffmpeg.codec = "MPEG4", "H264"
    render.ffmpeg.constant_rate_factor, render.ffmpeg.ffmpeg_preset = "HIGH", "GOOD"
    render.ffmpeg.gopsize = rate
    render.use_file_extension = False
    render.filepath = str(file)
    with quiet():
        bpy.ops.render.render(animation=True, scene=scene.name)
    bpy.data.scenes.remove(scene)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress Blender's own standard output, at least a line per frame."""
    sys.stdout.flush()
    ours = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        sys.stdout.flush()
        os.dup2(ours, 1)
        os.close(ours)
        os.close(nowhere)
