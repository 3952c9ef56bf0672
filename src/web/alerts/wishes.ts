/** The preference by which a person has each sound or not. */
export const wishes = { ticket: 'soundTicket', message: 'soundMessage', mention: 'soundMention' } as const
