/** Group member as reported by a channel; null: unknown. */
export type MemberInfo = {
  readonly identity: string
  readonly name: string | null
  readonly number: string | null
  readonly isAdmin: boolean | null
}

/** Present or former group member; `changedAt` is the last change, in epoch ms by the channel's clock. */
export type Member = {
  readonly identity: string
  readonly name: string
  readonly number: string | null
  readonly isAdmin: boolean
  readonly isMember: boolean
  readonly changedAt: number
}

/** Membership change; `all`: the complete list of members. */
export type MembershipChange = 'add' | 'remove' | 'promote' | 'demote' | 'all'

const LONGEST_NAME = 200

/** Returns the fallback name of a member: the number, else the channel's identity. */
const unnamed = ({ identity, number }: Pick<MemberInfo, 'identity' | 'number'>): string =>
  number ? `+${number.replace(/^\+/, '')}` : identity.split('@')[0] || identity

/** Returns a member after new channel info; a new one counts as present. */
export function known(info: MemberInfo, before: Member | undefined): Member {
  const number = info.number ?? before?.number ?? null
  const name = info.name?.trim().slice(0, LONGEST_NAME)
  const isNamed = before !== undefined && before.name !== unnamed(before)
  return {
    identity: info.identity,
    name: name || (isNamed ? before.name : unnamed({ identity: info.identity, number })),
    number,
    isAdmin: before?.isAdmin ?? false,
    isMember: before?.isMember ?? true,
    changedAt: before?.changedAt ?? 0,
  }
}

const states = { add: {}, remove: { isMember: false }, promote: { isAdmin: true }, demote: { isAdmin: false }, all: {} }

/** Returns a member after a change with a time, and whether it was one: an older change only updates the name. */
export function changed(
  info: MemberInfo,
  before: Member | undefined,
  change: MembershipChange,
  at: number,
): { readonly member: Member; readonly isChange: boolean } {
  const now = known(info, before)
  if (before && at < before.changedAt) return { member: now, isChange: false }
  const isAdmin = info.isAdmin ?? (change === 'all' || change === 'add' ? false : now.isAdmin)
  const member = { ...now, isMember: true, isAdmin, ...states[change], changedAt: at }
  const next = member.isMember ? member : { ...member, isAdmin: false }
  const wasIn = before?.isMember ?? false
  const isChange =
    change === 'add' || change === 'remove'
      ? wasIn !== next.isMember
      : next.isAdmin !== (wasIn && (before?.isAdmin ?? false))
  return { member: next, isChange }
}
