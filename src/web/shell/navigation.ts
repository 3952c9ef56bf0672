/** Location of the router. */
export type RouterLocation = { pathname: string; search?: object }

const emptyChat = /^\/atendimento(\/chats)?\/?$/

/**
 * Whether a navigation is cancelled: from the empty chat to the empty chat (specification §2). A navigation that brings or
 * replaces a filter is not cancelled.
 */
export const isCancelled = (action: string, current: RouterLocation, next: RouterLocation): boolean =>
  action === 'PUSH' &&
  emptyChat.test(current.pathname) &&
  emptyChat.test(next.pathname) &&
  Object.keys(next.search ?? {}).length === 0
