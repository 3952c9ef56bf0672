/** A place as the router knows it. */
export type RouterLocation = { pathname: string; search?: object }

const emptyChat = /^\/atendimento(\/chats)?\/?$/

/**
 * Whether a navigation is cancelled: the empty chat is not opened from the empty chat (specification §2). A filter that
 * comes with it, or replaces the one before, is no other opening.
 */
export const isCancelled = (action: string, current: RouterLocation, next: RouterLocation): boolean =>
  action === 'PUSH' &&
  emptyChat.test(current.pathname) &&
  emptyChat.test(next.pathname) &&
  Object.keys(next.search ?? {}).length === 0
