/** Minimum side in pixels; smaller pictures are tracking pixels or show nothing. */
const SMALLEST_SIDE = 32
const MOST_PIXELS = 50_000_000
const PICTURES = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'])

/** MIME types of pictures that can be resized. */
export const SMALL_PICTURES: readonly string[] = [...PICTURES]

/**
 * Resizes a picture to a square WebP of at most `side` pixels, without metadata; null for anything but a raster picture, or
 * one too small to see.
 */
export async function smallPicture(picture: Uint8Array, side: number): Promise<Buffer | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(picture)
  if (!PICTURES.has(type?.mime ?? '')) return null
  const { default: sharp } = await import('sharp')
  try {
    const image = sharp(picture, { limitInputPixels: MOST_PIXELS }).timeout({ seconds: 30 })
    const { width, height } = await image.metadata()
    if (Math.min(width, height) < SMALLEST_SIDE) return null
    const size = { width: side, height: side, fit: 'cover', withoutEnlargement: true } as const
    return await image.autoOrient().resize(size).webp({ quality: 80 }).toBuffer()
  } catch {
    return null
  }
}
