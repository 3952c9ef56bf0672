/** What one reacts with, the most used first. */
export const reactions = ['👍', '❤️', '😂', '😮', '😢', '🙏', '👏', '✅']
