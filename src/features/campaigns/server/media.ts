import { withFetched } from '#server/files/fetched.ts'
import type { SlowCtx } from '#server/http/route.ts'
import type { StoredFile } from '#server/storage.ts'
import { MOST_BYTES } from '../addresses.ts'

/** Runs `work` with the uploaded files, or with the one fetched once from `mediaUrl`. Fails with ERR_FILE_FETCH. */
export const withMedia = <T>(
  { platform, tenantId }: Pick<SlowCtx, 'platform' | 'tenantId'>,
  { mediaUrl }: { readonly mediaUrl: string },
  files: readonly StoredFile[],
  work: (files: readonly StoredFile[]) => Promise<T>,
): Promise<T> =>
  mediaUrl === '' || files.length > 0
    ? work(files)
    : withFetched(platform, tenantId, mediaUrl, (file) => work([file]), MOST_BYTES)
