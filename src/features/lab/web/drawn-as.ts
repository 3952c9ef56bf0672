/** The channel by whose icon a phone is drawn: those of the laboratory's own channel are a WhatsApp to whoever holds them. */
export const drawnAs = (type: string): string => (type === 'lab' ? 'whatsapp' : type)
