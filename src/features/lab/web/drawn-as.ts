/** Returns the channel whose icon a phone shows; phones on the lab's own channel look like WhatsApp. */
export const drawnAs = (type: string): string => (type === 'lab' ? 'whatsapp' : type)
