import type { ComponentType } from 'react'
import {
  EmailIcon,
  InstagramIcon,
  LabIcon,
  MessengerIcon,
  PhoneIcon,
  SmsIcon,
  TelegramIcon,
  WebchatIcon,
  WhatsappIcon,
} from '../icons.ts'
import { rareIcons } from './rare-icons.tsx'

/** The icons that a channel may name. */
const icons = {
  whatsapp: WhatsappIcon,
  instagram: InstagramIcon,
  messenger: MessengerIcon,
  telegram: TelegramIcon,
  webchat: WebchatIcon,
  email: EmailIcon,
  sms: SmsIcon,
  phone: PhoneIcon,
  lab: LabIcon,
  ...rareIcons,
}

/** The colours that a channel may name; each is mixed with ink, which suits both modes. */
const colors = {
  green: '#1f9d63',
  pink: '#b4468f',
  blue: '#3f74d8',
  sky: '#3391c8',
  indigo: '#6a68c0',
  amber: '#8f6a1e',
  grey: '#7c7286',
  teal: '#2b7f77',
  violet: '#8a5fb0',
}

/** Look of a channel: its icon, its own muted colour and its Portuguese name. */
export type DrawnChannel = { Icon: ComponentType<{ size?: number | string }>; color: string; name: string }

/** Returns a channel's look from the names of its icon and colour. */
export const drawn = (look: { icon: keyof typeof icons; color: keyof typeof colors; name: string }): DrawnChannel => ({
  Icon: icons[look.icon],
  color: `color-mix(in oklab, ${colors[look.color]} 80%, var(--g-ink))`,
  name: look.name,
})
