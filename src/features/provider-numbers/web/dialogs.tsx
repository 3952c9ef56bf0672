import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { providerNumbers } from '../addresses.ts'
import type { NumberRow } from '../contract.ts'
import { codeForm, pinForm } from '../forms.ts'
import { refusalText } from './labels.ts'
import css from './numbers.module.css'

type Props = { row: NumberRow; onClose: () => void }

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** Dialog that verifies the ownership of a number: a code arrives by SMS or call, and is typed here. */
export function CodeDialog({ row: { whatsappId: id, name, state }, onClose }: Props) {
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const [asked, setAsked] = useState<'sms' | 'voice' | null>(null)
  const request = async (by: 'sms' | 'voice') => {
    setProblem('')
    try {
      await call(providerNumbers.requestCode, { params: { id }, body: { by } }, { quiet: true })
      setAsked(by)
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  const verify = async () => {
    const wrong = codeForm.safeParse({ code }).error?.issues[0]?.message
    if (wrong) return setProblem(wrong)
    try {
      await call(providerNumbers.verify, { params: { id }, body: { code } }, { quiet: true })
      notify({ tone: 'pos', title: t('Número verificado') })
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <FormDialog title={t('Verificar “{name}”', { name })} action={t('Verificar')} onSubmit={verify} onClose={onClose}>
      <p>{t('Um código vai para {number}.', { number: state?.shownNumber || t('o número') })}</p>
      <div className={css.ways}>
        <Button variant="default" onClick={() => void request('sms')}>
          {t('Pedir por SMS')}
        </Button>
        <Button variant="default" onClick={() => void request('voice')}>
          {t('Pedir por ligação')}
        </Button>
      </div>
      <p aria-live="polite">
        {asked && (asked === 'sms' ? t('Código enviado por SMS.') : t('A ligação com o código está a caminho.'))}
      </p>
      <TextInput
        label={t('Código')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={8}
        value={code}
        error={problem}
        onChange={(event) => {
          setCode(digitsOf(event.currentTarget.value))
          setProblem('')
        }}
      />
    </FormDialog>
  )
}

/** Dialog that registers a number with a six-digit PIN, chosen at the first registration and required afterwards. */
export function PinDialog({ row: { whatsappId: id, name }, onClose }: Props) {
  const [pin, setPin] = useState('')
  const [problem, setProblem] = useState('')
  const register = async () => {
    const wrong = pinForm.safeParse({ pin }).error?.issues[0]?.message
    if (wrong) return setProblem(wrong)
    try {
      await call(providerNumbers.register, { params: { id }, body: { pin } }, { quiet: true })
      notify({ tone: 'pos', title: t('Número registrado') })
      onClose()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return (
    <FormDialog title={t('Registrar “{name}”', { name })} action={t('Registrar')} onSubmit={register} onClose={onClose}>
      <p>{t('Na primeira vez você escolhe o PIN; guarde-o, porque ele é pedido de novo. O Guichê não o guarda.')}</p>
      <TextInput
        data-autofocus
        label={t('PIN de seis dígitos')}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={pin}
        error={problem}
        onChange={(event) => {
          setPin(digitsOf(event.currentTarget.value))
          setProblem('')
        }}
      />
    </FormDialog>
  )
}
