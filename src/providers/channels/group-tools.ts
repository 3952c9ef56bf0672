import type { GroupRole, MembersKind, NumberOutcome } from '#domain/groups/tools.ts'

/** A group in which the account is. */
export type ChannelGroup = {
  readonly key: string
  readonly name: string
  readonly description: string
  /** What the account may do in it; null where the channel does not say. */
  readonly role: GroupRole | null
  readonly size: number
  readonly onlyAdminsWrite: boolean
}

/** Somebody in it; `isOwn`: the account itself. */
export type ChannelGroupMember = {
  readonly identity: string
  readonly name: string
  readonly number: string | null
  readonly role: GroupRole
  readonly isOwn: boolean
}

/** What is changed of a group; repeating one changes nothing. */
export type GroupChange =
  | { readonly type: 'title'; readonly title: string }
  | { readonly type: 'description'; readonly description: string }
  /** A square JPEG. */
  | { readonly type: 'picture'; readonly jpeg: Uint8Array }
  | { readonly type: 'adminsOnly'; readonly isOn: boolean }
  /** By their digits, or their identities in the group. */
  | { readonly type: 'members'; readonly change: MembersKind; readonly whom: readonly string[] }
  /** What a member wrote is taken back for all, by whoever runs the group. */
  | { readonly type: 'message'; readonly providerId: string; readonly author: string }

type InGroup = { readonly tenantId: number; readonly connectionId: number; readonly key: string }
type Connected = Omit<InGroup, 'key'>

/**
 * What may be asked of a channel that has group tools. Whoever may not do something is refused with a sentence; who asks for
 * members is told what became of each.
 */
export type GroupQuestions = {
  groupList: { about: Connected; answer: readonly ChannelGroup[] }
  /** Null where the account is not in it. */
  group: {
    about: InGroup
    answer: (ChannelGroup & { readonly members: readonly ChannelGroupMember[] }) | null
  }
  /** Not repeatable: whoever loses the answer asks for the list. */
  createGroup: {
    about: Connected & { readonly name: string; readonly numbers: readonly string[] }
    answer: { key: string }
  }
  changeGroup: { about: InGroup & { readonly change: GroupChange }; answer: readonly NumberOutcome[] }
}
