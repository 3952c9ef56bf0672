/** Hub names of channels that differ from the end of their type; either spelling is read. */
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

/** Returns the type on the wire of a channel as named by the hub. */
export function typeOfChannel(channel: string): string {
  const plain = channel.toLowerCase().replaceAll('-', '_').replace(/^hub_/, '')
  return `hub_${SPELLED[plain] ?? plain}`
}

/** Returns the hub's name of a channel type. */
export function channelOfType(type: string): string {
  const plain = type.replace(/^hub_/, '')
  return CALLED[plain] ?? plain
}

/** Whether contacts of a type are identified by a phone number. */
export const hasNumbers = (type: string): boolean => type === 'hub_whatsapp_business_account' || type === 'hub_sms'
