import sharp from 'sharp'

/** Returns a picture of one colour as a file to choose, drop or paste; its name distinguishes it. */
export async function picture(name: string, color = '#2f7d4f', width = 320, height = 240) {
  const buffer = await sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer()
  return { name, mimeType: 'image/png', buffer }
}
