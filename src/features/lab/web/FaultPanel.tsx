import { Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { mutation } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import {
  BlockIcon,
  BrokenPhotoIcon,
  CopyIcon,
  DelayIcon,
  HideIcon,
  LateIcon,
  ServerDownIcon,
  ShuffleIcon,
  SmsIcon,
  UnplugIcon,
} from '#web/ui/icons.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { lab } from '../addresses.ts'
import type { LabFaults, LabPhone } from '../contract.ts'
import { isFaultOf } from '../fault-forms.ts'
import css from './lab.module.css'

type Fault = {
  key: keyof LabFaults
  label: string
  effect: string
  Icon: ComponentType<{ size?: number }>
  on: LabFaults[keyof LabFaults]
}

const delay = 10
const lateReceipt = 30

const faults: readonly Fault[] = [
  {
    key: 'duplicate',
    label: t('Duplicar'),
    effect: t('A próxima mensagem do telefone chega três vezes: duas juntas e uma depois.'),
    Icon: CopyIcon,
    on: true,
  },
  {
    key: 'reorder',
    label: t('Inverter ordem'),
    effect: t('A próxima mensagem do telefone só chega depois da seguinte.'),
    Icon: ShuffleIcon,
    on: true,
  },
  {
    key: 'delaySeconds',
    label: t('Atrasar {seconds} s', { seconds: delay }),
    effect: t('A próxima mensagem do telefone demora a chegar.'),
    Icon: DelayIcon,
    on: delay,
  },
  {
    key: 'lateReceiptSeconds',
    label: t('Recibo atrasado'),
    effect: t('A próxima resposta chega ao telefone, mas os tiques demoram {seconds} s.', { seconds: lateReceipt }),
    Icon: LateIcon,
    on: lateReceipt,
  },
  {
    key: 'disconnected',
    label: t('Cair 10 min'),
    effect: t('Nada passa, nos dois sentidos, por dez minutos ou até desligar aqui.'),
    Icon: UnplugIcon,
    on: true,
  },
  {
    key: 'otherSpelling',
    label: t('Nono dígito'),
    effect: t('O telefone escreve com a outra forma do número, sem o nono dígito ou com ele, até desligar aqui.'),
    Icon: SmsIcon,
    on: true,
  },
  {
    key: 'hidden',
    label: t('Sem número'),
    effect: t('O contato não mostra o número até desligar aqui: o canal o conhece só por um identificador.'),
    Icon: HideIcon,
    on: true,
  },
  {
    key: 'undecrypted',
    label: t('Decifrar depois'),
    effect: t('A próxima mensagem não pode ser lida; oito segundos depois o telefone a repete.'),
    Icon: DelayIcon,
    on: true,
  },
  {
    key: 'corruptFile',
    label: t('Mídia corrompida'),
    effect: t('O próximo arquivo chega corrompido; o telefone o envia de novo quando é pedido.'),
    Icon: BrokenPhotoIcon,
    on: true,
  },
  {
    key: 'expiredFile',
    label: t('Mídia expirada'),
    effect: t('O próximo arquivo não está mais no servidor, nem no telefone.'),
    Icon: LateIcon,
    on: true,
  },
  {
    key: 'refuses',
    label: t('Recusar (463)'),
    effect: t('As mensagens para este telefone são recusadas por excesso de velocidade, até desligar aqui.'),
    Icon: BlockIcon,
    on: true,
  },
]

/** Faults of channels with a window. */
const ofWindow: readonly Fault[] = [
  {
    key: 'windowClosed',
    label: t('Janela fechada'),
    effect: t('A última mensagem do contato passa a ter 25 horas, até ele escrever de novo.'),
    Icon: DelayIcon,
    on: true,
  },
  {
    key: 'reorderedReceipts',
    label: t('Tiques invertidos'),
    effect: t('O recibo de leitura da próxima resposta chega antes do de entrega.'),
    Icon: ShuffleIcon,
    on: true,
  },
  {
    key: 'lowQuality',
    label: t('Qualidade baixa'),
    effect: t(
      'O provedor informa que a qualidade do número caiu, e os administradores são avisados. Ao desligar, ela volta ao normal.',
    ),
    Icon: LateIcon,
    on: true,
  },
]

/** Faults of the number that the phone writes to. */
const ofNumber: readonly Fault[] = [
  {
    key: 'restricted',
    label: t('Restringir número'),
    effect: t('O provedor restringe o número: a qualidade cai e as campanhas por ele pausam, até desligar aqui.'),
    Icon: BlockIcon,
    on: true,
  },
  {
    key: 'limited',
    label: t('Limites do número'),
    effect: t('O número passa a iniciar no máximo 20 conversas por dia, até desligar aqui.'),
    Icon: DelayIcon,
    on: true,
  },
]

const off = (value: LabFaults[keyof LabFaults]) =>
  typeof value === 'number' ? 0 : typeof value === 'string' ? '' : false

/** Faults of mailboxes. */
const ofMail: readonly Fault[] = [
  {
    key: 'vacation',
    label: t('Férias'),
    effect: t(
      'A caixa responde automaticamente a cada e-mail, até desligar aqui; a essas respostas nada é enviado sozinho.',
    ),
    Icon: LateIcon,
    on: true,
  },
]

/** Returns the faults of the phone's provider. */
const ofProvider = ({ ofProvider: all }: LabPhone): readonly Fault[] =>
  all.map(({ id, label, effect }) => ({ key: 'provider', label, effect, Icon: ServerDownIcon, on: id }))

/** Panel with the faults of the chosen phone: a tile arms one for the next message and shows that it is armed. */
export function FaultPanel({ phone }: { phone: LabPhone }) {
  const change = useMutation(mutation(lab.setFaults))
  const [name] = phone.name.split(' ')
  return (
    <Card
      title={
        <>
          {t('Provocar falha')} <small>{t('na próxima mensagem de {name}', { name: name ?? phone.name })}</small>
        </>
      }
    >
      <div className={css.faults}>
        {[...faults, ...ofWindow, ...ofNumber, ...ofMail, ...ofProvider(phone)]
          .filter(({ key }) => isFaultOf(phone, key))
          .map(({ key, label, effect, Icon, on }) => {
            const isOn = typeof on === 'boolean' ? Boolean(phone.faults[key]) : phone.faults[key] === on
            const until = key === 'disconnected' && phone.disconnectedUntil
            return (
              <Tooltip key={label} label={effect} position="bottom" multiline w={240}>
                <button
                  type="button"
                  className={css.fault}
                  aria-pressed={isOn}
                  disabled={change.isPending}
                  onClick={() => change.mutate({ params: { id: phone.id }, body: { [key]: isOn ? off(on) : on } })}
                >
                  <Icon size={19} />
                  {until ? t('Volta às {time}', { time: formatTime(until) }) : label}
                </button>
              </Tooltip>
            )
          })}
      </div>
    </Card>
  )
}
