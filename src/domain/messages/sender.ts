/** Who of a group wrote a message: the member's id, how the channel knows them, and their name and number at that time. */
export type MessageSender = {
  readonly id: number
  readonly identity: string
  readonly name: string
  readonly number: string | null
}
