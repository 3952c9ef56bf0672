import { useState } from 'react'
import { TEMPLATE_VARIABLES } from '#domain/messages/template.ts'
import { type Field, startOf } from '#kit/fields/kinds.ts'
import { masked } from '#kit/fields/secret.ts'
import { FieldCell, FieldInput } from '../fields/field.tsx'
import { Fields } from './inputs/fields.tsx'
import { Card } from './layout/page.tsx'

const { firstName, greeting } = TEMPLATE_VARIABLES
// Fields that refer to rows of a server are left to the screens.
const fields: readonly (Field & { shown?: unknown })[] = [
  { kind: 'text', label: 'Nome', required: true, shown: 'Pós-venda' },
  { kind: 'longtext', label: 'Observação', shown: 'Duas\nlinhas' },
  { kind: 'template', label: 'Mensagem', variables: { greeting, firstName }, shown: '{{greeting}}, {{firstName}}!' },
  { kind: 'number', label: 'Quantidade', whole: true, shown: 2846 },
  { kind: 'money', label: 'Preço', shown: '1234.50' },
  { kind: 'percent', label: 'Desconto', shown: 12.5 },
  { kind: 'boolean', label: 'Ativo', hint: 'Desligado, some das listas.', shown: true },
  { kind: 'choice', label: 'Situação', options: { novo: 'Novo', usado: 'Usado' }, shown: 'novo' },
  { kind: 'date', label: 'Dia', shown: '2028-02-29' },
  { kind: 'datetime', label: 'Dia e hora', shown: '2026-11-20T12:00:00.000Z' },
  { kind: 'time', label: 'Horário', shown: '08:30' },
  { kind: 'color', label: 'Cor', shown: '#B4468F' },
  { kind: 'phone', label: 'Telefone', shown: '+5519998124407' },
  { kind: 'document', label: 'CPF ou CNPJ', shown: '12ABC34501DE35' },
  { kind: 'email', label: 'E-mail', shown: 'pessoa@teste.dev' },
  { kind: 'url', label: 'Endereço', shown: 'https://exemplo.com.br' },
  { kind: 'secret', label: 'Chave', shown: masked('chave-de-teste-9876') },
  { kind: 'file', label: 'Arquivo' },
  { kind: 'order', label: 'Ordem', shown: 3 },
  { kind: 'week', label: 'Horário próprio', hint: 'Vale no lugar do horário da empresa.' },
]

/** The kinds of fields: each one's input, filled and with an error, and its value as a list shows it. */
export function GalleryFields() {
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>(
    Object.fromEntries(fields.map((field) => [field.kind, field.shown ?? startOf(field)])),
  )
  return (
    <>
      <Card title="Tipos de campo">
        <Fields>
          {fields.map((field) => (
            <FieldInput
              key={field.kind}
              field={field}
              value={values[field.kind]}
              onChange={(value) => setValues({ ...values, [field.kind]: value })}
            />
          ))}
        </Fields>
      </Card>
      <Card title="Tipos de campo, na lista e com erro">
        <Fields>
          {fields
            .filter(({ kind }) => kind !== 'boolean' && kind !== 'week')
            .map((field) => (
              <div key={field.kind}>
                <FieldCell field={field} value={values[field.kind]} />
                <FieldInput field={field} value={startOf(field)} error="Confira este campo." onChange={() => {}} />
              </div>
            ))}
        </Fields>
      </Card>
    </>
  )
}
