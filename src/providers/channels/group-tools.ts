import type { GroupRole, MembersKind, NumberOutcome } from '#domain/groups/tools.ts'

/** Group that the account is a member of. */
export type ChannelGroup = {
  readonly key: string
  readonly name: string
  readonly description: string
  /** Role of the account in the group; null if unknown. */
  readonly role: GroupRole | null
  readonly size: number
  readonly onlyAdminsWrite: boolean
}

/** Member of a group; `isOwn`: the account itself. */
export type ChannelGroupMember = {
  readonly identity: string
  readonly name: string
  readonly number: string | null
  readonly role: GroupRole
  readonly isOwn: boolean
}

/** Change of a group; idempotent. */
export type GroupChange =
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'description'; readonly description: string }
  /** Picture as a square JPEG. */
  | { readonly type: 'picture'; readonly jpeg: Uint8Array }
  | { readonly type: 'adminsOnly'; readonly isOn: boolean }
  /** Members by their digits, or by their identities in the group. */
  | { readonly type: 'members'; readonly change: MembersKind; readonly whom: readonly string[] }
  /** Revokes a member's message for all, by an admin of the group. */
  | { readonly type: 'message'; readonly providerId: string; readonly author: string }

type InGroup = { readonly tenantId: number; readonly connectionId: number; readonly key: string }
type Connected = Omit<InGroup, 'key'>

/**
 * Queries and changes of groups, on channels with group tools. A missing permission is refused with a sentence; changes of
 * members return a result for each.
 */
export type GroupQuestions = {
  groupList: { about: Connected; answer: readonly ChannelGroup[] }
  /** Group with its members; null if the account is not a member. */
  group: {
    about: InGroup
    answer: (ChannelGroup & { readonly members: readonly ChannelGroupMember[] }) | null
  }
  /** Creates a group; not idempotent: after a lost response the list has to be queried. */
  createGroup: {
    about: Connected & { readonly name: string; readonly numbers: readonly string[] }
    answer: { key: string }
  }
  changeGroup: { about: InGroup & { readonly change: GroupChange }; answer: readonly NumberOutcome[] }
}
