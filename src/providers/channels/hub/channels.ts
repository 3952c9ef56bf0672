/** What the hub calls a channel, where that is not how its type ends; either spelling is read. */
const SPELLED: Readonly<Record<string, string>> = {
  whatsapp: 'whatsapp_business_account',
  messenger: 'facebook',
  mercadolivre: 'mercado_livre',
  mercado_libre: 'mercado_livre',
  x: 'twitter',
}
const CALLED: Readonly<Record<string, string>> = {
  whatsapp_business_account: 'whatsapp',
  mercado_livre: 'mercadolivre',
}

/** The type on the wire of what the hub calls a channel. */
export function typeOfChannel(channel: string): string {
  const plain = channel.toLowerCase().replaceAll('-', '_').replace(/^hub_/, '')
  return `hub_${SPELLED[plain] ?? plain}`
}

/** The same back: as which channel the hub is asked. */
export function channelOfType(type: string): string {
  const plain = type.replace(/^hub_/, '')
  return CALLED[plain] ?? plain
}

/** Whether who writes there is known by a phone number. */
export const hasNumbers = (type: string): boolean => type === 'hub_whatsapp_business_account' || type === 'hub_sms'
