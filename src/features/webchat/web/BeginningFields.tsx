import { t } from '#web/t.ts'
import { Fields, Segments, SwitchGroup, SwitchRow, TextArea } from '#web/ui/inputs/fields.tsx'
import type { FieldErrors, SetField } from '#web/ui/inputs/use-form.ts'
import { Card } from '#web/ui/layout/page.tsx'
import type { WebchatChannel } from '../contract.ts'
import { VISIT_FIELDS, type VisitField } from '../forms.ts'

/** Form values of the start of conversations; `openings` as text, one per line. */
export type Beginning = Pick<WebchatChannel, 'form' | 'absent'> & { readonly openings: string }

const NAMES: Readonly<Record<VisitField, string>> = {
  name: t('Nome'),
  email: t('E-mail'),
  phone: t('Telefone'),
  cpf: t('CPF'),
}

type Props = {
  values: Beginning
  errors: FieldErrors
  set: SetField<Beginning>
}

/** Form fields of the start of conversations: visitor form, absence mode, automatic opening. */
export function BeginningFields(props: Props) {
  const { values, errors, set } = props
  return (
    <>
      <VisitorForm {...props} />
      <Absence {...props} />
      <Card title={t('Abrir automaticamente')}>
        <Fields>
          <TextArea
            grow
            label={t('Páginas e segundos')}
            description={t(
              'Uma por linha, como “/precos 20” ou “/produtos/* 45”. Uma vez por visita, nunca no celular.',
            )}
            value={values.openings}
            error={errors['openings']}
            onChange={(event) => set('openings', event.currentTarget.value)}
          />
        </Fields>
      </Card>
    </>
  )
}

function VisitorForm({ values: { form }, errors, set }: Props) {
  return (
    <Card title={t('Antes da conversa')}>
      <Fields>
        <SwitchGroup>
          <SwitchRow
            name={t('Pedir dados antes')}
            effect={t('Quem nunca escreveu se apresenta primeiro; quem o seu servidor reconhece não precisa.')}
            checked={form.isOn}
            onChange={(isOn) => set('form', { ...form, isOn })}
          />
        </SwitchGroup>
        {form.isOn &&
          VISIT_FIELDS.map((field) => (
            <Segments
              key={field}
              label={NAMES[field]}
              value={form[field]}
              options={[
                { value: 'no', label: t('Não pedir') },
                { value: 'optional', label: t('Opcional') },
                { value: 'required', label: t('Obrigatório') },
              ]}
              onChange={(choice) => set('form', { ...form, [field]: choice })}
            />
          ))}
        {form.isOn && (
          <TextArea
            grow
            label={t('Consentimento')}
            description={t(
              'O visitante marca que concorda; o texto e a data ficam no contato. Em branco, nada é pedido.',
            )}
            value={form.consent}
            error={errors['form']}
            onChange={(event) => set('form', { ...form, consent: event.currentTarget.value })}
          />
        )}
      </Fields>
    </Card>
  )
}

/** What a visitor can do while no one is available. */
function Absence({ values: { absent }, errors, set }: Props) {
  return (
    <Card title={t('Fora do horário')}>
      <Fields>
        <SwitchGroup>
          <SwitchRow
            name={t('Receber recados com e-mail')}
            effect={t('Fora do horário da empresa, quem chega deixa e-mail e mensagem, que viram um atendimento.')}
            checked={absent.isOn}
            onChange={(isOn) => set('absent', { ...absent, isOn })}
          />
        </SwitchGroup>
        {absent.isOn && (
          <TextArea
            grow
            label={t('O que dizer a quem deixa um recado')}
            value={absent.text}
            error={errors['absent']}
            onChange={(event) => set('absent', { ...absent, text: event.currentTarget.value })}
          />
        )}
      </Fields>
    </Card>
  )
}
