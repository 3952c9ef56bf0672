import { z } from 'zod'
import { formFlag } from '#kit/fields.ts'

/** Form flags of sent files: voice note (implied by a recording with a given length), sticker, and `isOnce` for view once. */
export const wishFields = { isVoice: formFlag.optional(), isSticker: formFlag.optional(), isOnce: formFlag.optional() }

const albumCount = z.coerce.number<number | string>().int().min(0).max(30).optional()
/** Fields of an album whose pictures and films are sent in separate requests: its id, and how many of each it has. */
export const albumFields = {
  albumId: z.string().min(8).max(80).optional(),
  albumImages: albumCount,
  albumVideos: albumCount,
}
