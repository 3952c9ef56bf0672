import type { ComponentType } from 'react'
import { t } from '../../t.ts'
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

/** How a channel looks: its icon, its own muted colour (mixed with ink, both modes) and its Portuguese name. */
type ChannelLook = { Icon: ComponentType<{ size?: number | string }>; color: string; name: string }

const muted = (color: string) => `color-mix(in oklab, ${color} 80%, var(--g-ink))`

const looks: [prefix: RegExp, look: ChannelLook][] = [
  [
    /^(whatsapp|waba|baileys|meow|zapi|evo|uazapi|wuzapi)/,
    { Icon: WhatsappIcon, color: muted('#1f9d63'), name: 'WhatsApp' },
  ],
  [/^instagram/, { Icon: InstagramIcon, color: muted('#b4468f'), name: 'Instagram' }],
  [/^(messenger|facebook)/, { Icon: MessengerIcon, color: muted('#3f74d8'), name: 'Messenger' }],
  [/^telegram/, { Icon: TelegramIcon, color: muted('#3391c8'), name: 'Telegram' }],
  [/^(webchat|web)$/, { Icon: WebchatIcon, color: muted('#6a68c0'), name: 'WebChat' }],
  [/^(email|webmail)/, { Icon: EmailIcon, color: muted('#8f6a1e'), name: 'E-mail' }],
  [/^sms/, { Icon: SmsIcon, color: muted('#7c7286'), name: 'SMS' }],
  [/^(voice|call|wavoip|sip)/, { Icon: PhoneIcon, color: muted('#2b7f77'), name: t('Telefone') }],
  [/^lab/, { Icon: LabIcon, color: muted('#8a5fb0'), name: t('Laboratório') }],
]

/** The look of a channel by its type on the wire; an unknown type looks like web chat and keeps its own name. */
export function channelLook(type: string): ChannelLook {
  const found = looks.find(([prefix]) => prefix.test(type.toLowerCase()))
  return found ? found[1] : { Icon: WebchatIcon, color: muted('#6a68c0'), name: type }
}
