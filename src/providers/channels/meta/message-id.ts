/** Whether an id returned by Meta is one of our message ids, and not another program's data. */
export const isMessageId = (text: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text)
