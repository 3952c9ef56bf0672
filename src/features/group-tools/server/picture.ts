import { buffer } from 'node:stream/consumers'
import type { Platform } from '#server/platform.ts'
import type { StoredFile } from '#server/storage.ts'

const MOST_PIXELS = 50_000_000
/** Side of a group picture in pixels, as on WhatsApp. */
const SIDE = 640

/** MIME types of pictures for groups. */
export const PICTURES: readonly string[] = ['image/jpeg', 'image/png', 'image/webp']

/** Whether a file is a picture that can be seen. */
export async function isPicture(platform: Platform, file: StoredFile): Promise<boolean> {
  return PICTURES.includes(file.mime) && (await jpegOf(platform, file.path, 64)) !== null
}

/** Converts a stored picture to a square JPEG; null if it is not a readable image. */
export async function jpegOf({ storage }: Platform, path: string, side = SIDE): Promise<Uint8Array | null> {
  const { default: sharp } = await import('sharp')
  try {
    const picture = await buffer(storage.read(path))
    const image = sharp(picture, { limitInputPixels: MOST_PIXELS }).timeout({ seconds: 30 })
    return await image.autoOrient().resize(side, side, { fit: 'cover' }).jpeg({ quality: 80 }).toBuffer()
  } catch {
    return null
  }
}
