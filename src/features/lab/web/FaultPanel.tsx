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
  ShuffleIcon,
  SmsIcon,
  UnplugIcon,
} from '#web/ui/icons.ts'
import { Card } from '#web/ui/layout/page.tsx'
import { lab } from '../addresses.ts'
import type { LabFaults, LabPhone } from '../contract.ts'
import css from './lab.module.css'

type Fault = {
  key: keyof LabFaults
  label: string
  effect: string
  Icon: ComponentType<{ size?: number }>
  on: LabFaults[keyof LabFaults]
  /** Of phones that write to a linked number; the others are of all other phones. */
  isOfLinked?: true
  /** Of somebody, and no group's. */
  isPersonal?: true
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
    effect: t('O telefone escreve pela outra forma do seu número, sem o nono dígito ou com ele, até desligar aqui.'),
    Icon: SmsIcon,
    on: true,
  },
  {
    key: 'hidden',
    label: t('Só LID'),
    effect: t('O contato não mostra o número até desligar aqui.'),
    Icon: HideIcon,
    on: true,
    isOfLinked: true,
    isPersonal: true,
  },
  {
    key: 'undecrypted',
    label: t('Decifrar depois'),
    effect: t('A próxima mensagem não pode ser lida; oito segundos depois o telefone a repete.'),
    Icon: DelayIcon,
    on: true,
    isOfLinked: true,
  },
  {
    key: 'corruptFile',
    label: t('Mídia corrompida'),
    effect: t('O próximo arquivo chega estragado; o telefone o guarda de novo quando lhe pedem.'),
    Icon: BrokenPhotoIcon,
    on: true,
    isOfLinked: true,
  },
  {
    key: 'expiredFile',
    label: t('Mídia expirada'),
    effect: t('O próximo arquivo não está mais no servidor, nem no telefone.'),
    Icon: LateIcon,
    on: true,
    isOfLinked: true,
  },
  {
    key: 'refuses',
    label: t('Recusar (463)'),
    effect: t('O que se escreve para este telefone é recusado por pressa, até desligar aqui.'),
    Icon: BlockIcon,
    on: true,
    isOfLinked: true,
    isPersonal: true,
  },
]

const off = (value: LabFaults[keyof LabFaults]) => (typeof value === 'number' ? 0 : false)

/** The faults of the phone in hand: a tile arms one for the next message, and shows that it is armed. */
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
        {faults
          .filter(
            ({ isOfLinked = false, isPersonal }) => isOfLinked === phone.isLinked && !(isPersonal && phone.isGroup),
          )
          .map(({ key, label, effect, Icon, on }) => {
            const isOn = Boolean(phone.faults[key])
            const until = key === 'disconnected' && phone.disconnectedUntil
            return (
              <Tooltip key={key} label={effect} position="bottom" multiline w={240}>
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
