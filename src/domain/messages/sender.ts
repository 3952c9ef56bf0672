/** Author of a message in a group: the member's id, channel identity, and name and number at that time. */
export type MessageSender = {
  readonly id: number
  readonly identity: string
  readonly name: string
  readonly number: string | null
}
