/** Emoji offered as reactions, the most used first. */
export const reactions = ['👍', '❤️', '😂', '😮', '😢', '🙏', '👏', '✅']
