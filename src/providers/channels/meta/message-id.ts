/** Whether what Meta gives back is an id of ours, and not what some other program put there. */
export const isMessageId = (text: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)
