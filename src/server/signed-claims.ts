import { fail } from '#kit/errors.ts'
import type { Platform } from './platform.ts'
import { isSameText } from './secrets.ts'

/** Prefixes of signed claims, one per kind of link. */
const KINDS = { file: '', formatted: 'formatted ', answer: 'answer ' } as const
type Kind = keyof typeof KINDS
type Signer = Pick<Platform, 'secrets' | 'now'>

/**
 * Returns the signed part of an address of one object of a company, valid for one to two spans of `ms`; the end is rounded
 * so that browsers can cache.
 */
export function claimTo({ secrets, now }: Signer, kind: Kind, tenantId: number, id: string, ms: number): string {
  const until = (Math.floor(now().getTime() / ms) + 2) * ms
  const claim = `${tenantId}.${id}.${until}`
  return `${claim}.${secrets.sign(`${KINDS[kind]}${claim}`)}`
}

/** Verifies a signed part and returns its content; 404 for one not signed here, ERR_FILE_LINK for one that has expired. */
export function readClaim({ secrets, now }: Signer, kind: Kind, given: string): { tenantId: number; id: string } {
  const [tenantId, id = '', until, signature = ''] = given.split('.')
  if (!isSameText(signature, secrets.sign(`${KINDS[kind]}${tenantId}.${id}.${until}`))) fail('ERR_NOT_FOUND')
  if (Number(until) < now().getTime()) fail('ERR_FILE_LINK')
  return { tenantId: Number(tenantId), id }
}
