import { writeFile } from 'node:fs/promises'

/** Side length in pixels, and the byte limits for still and animated stickers. */
const SIDE = 512
const MOST_BYTES = { still: 100_000, moving: 500_000 }
const QUALITIES = [90, 70, 50, 30, 15]
/** Maximum number of pixels of all frames together. */
const MOST_PIXELS = 100_000_000

/**
 * Converts a picture to a sticker: a square WebP that shows all of it, in the best quality within the size limit; fails if
 * none fits.
 */
export async function makeSticker(from: string, to: string): Promise<void> {
  const { default: sharp } = await import('sharp')
  const open = () =>
    sharp(from, { animated: true, limitInputPixels: MOST_PIXELS, failOn: 'none' }).timeout({ seconds: 30 })
  const { pages = 1 } = await open().metadata()
  const isMoving = pages > 1
  const background = { r: 0, g: 0, b: 0, alpha: 0 }
  for (const quality of QUALITIES) {
    const turned = isMoving ? open() : open().autoOrient()
    const bytes = await turned.resize(SIDE, SIDE, { fit: 'contain', background }).webp({ quality }).toBuffer()
    if (bytes.length <= MOST_BYTES[isMoving ? 'moving' : 'still']) return writeFile(to, bytes, { mode: 0o600 })
  }
  throw new Error('a sticker that stays too large')
}
