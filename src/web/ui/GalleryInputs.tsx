import { Button, Checkbox, Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import { isCnpj, isCpf } from '#domain/documents/documents.ts'
import { hideOverlay, showOverlay } from './feedback/overlay.tsx'
import css from './gallery.module.css'
import { MaskedInput, Pair, TextArea } from './inputs/fields.tsx'
import { documentMask, type MaskName, maskHint } from './inputs/mask.ts'
import { PhoneInput } from './inputs/PhoneInput.tsx'
import { isPhone } from './inputs/phone-rule.ts'
import { useForm } from './inputs/use-form.ts'
import { Card } from './layout/page.tsx'

const masks: readonly MaskName[] = [
  'date',
  'datetime',
  'time',
  'fulltime',
  'phone',
  'card',
  'cpf',
  'cnpj',
  'celular',
  'cep',
  'data',
]
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Every input of the design system, at work. */
export function GalleryInputs() {
  const form = useForm({ document: '', phone: '', login: '' }, undefined, {
    document: [
      (text) => text !== '' || 'Preencha este campo.',
      (text) => isCpf(text) || isCnpj(text) || 'Confira os números: este CPF ou CNPJ não existe.',
    ],
    phone: [isPhone],
    login: [
      (text) => /^[a-z0-9._-]*$/.test(text),
      (text) => pause(800).then(() => text !== 'ana' || 'Este nome já é usado.'),
    ],
  })
  const { values, errors, set, leave, check } = form
  return (
    <>
      <Masks />
      <Card title="Regras, telefones, textos">
        <Pair>
          <MaskedInput
            label="CPF/CNPJ"
            mask={documentMask}
            value={values.document}
            error={errors['document']}
            onChange={(text) => set('document', text)}
            onBlur={() => leave('document')}
          />
          <PhoneInput
            label="Telefone"
            value={values.phone}
            error={errors['phone']}
            onChange={(phone) => set('phone', phone)}
            onBlur={() => leave('phone')}
          />
          <TextInput
            label="Usuário"
            description="“ana” já existe; a resposta demora."
            value={values.login}
            error={errors['login']}
            onChange={(event) => set('login', event.currentTarget.value)}
            onBlur={() => leave('login')}
          />
          <TextArea label="Observação" grow placeholder="Cresce com o texto" />
        </Pair>
        <TextArea label="Mensagem" placeholder="Seis linhas" />
        <Switches onCheck={() => void check()} />
      </Card>
    </>
  )
}

function Masks() {
  const [texts, setTexts] = useState<Partial<Record<MaskName, string>>>({})
  return (
    <Card title="Máscaras">
      <Pair>
        {masks.map((mask) => (
          <MaskedInput
            key={mask}
            mask={mask}
            label={mask}
            fill
            placeholder={maskHint(mask)}
            value={texts[mask] ?? ''}
            onChange={(text) => setTexts({ ...texts, [mask]: text })}
          />
        ))}
      </Pair>
    </Card>
  )
}

function Switches({ onCheck }: { onCheck: () => void }) {
  return (
    <div className={css.row}>
      <Radio.Group aria-label="Período">
        <div className={css.row}>
          <Radio value="dia" label="Dia" /> <Radio value="mes" label="Mês" />
        </div>
      </Radio.Group>
      <Checkbox label="Repetir" />
      <Button variant="default" size="sm" onClick={onCheck}>
        Conferir
      </Button>
      <Button
        variant="default"
        size="sm"
        onClick={() => {
          showOverlay()
          hideOverlay()
        }}
      >
        Trabalhar
      </Button>
    </div>
  )
}
