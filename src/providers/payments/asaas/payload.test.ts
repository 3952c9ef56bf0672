import { describe, expect, it } from 'vitest'
import { customerOf, readPayment, refusalOf } from './payload.ts'

const payment = {
  ...{ object: 'payment', id: 'pay_6516440196307917', dateCreated: '2023-04-26', customer: 'cus_000005267983' },
  ...{ value: 688.73, netValue: 686.74, status: 'PENDING', dueDate: '2023-04-27', paymentDate: null, deleted: false },
  ...{ clientPaymentDate: null, invoiceUrl: 'https://sandbox.asaas.com/i/6516440196307917', bankSlipUrl: null },
}
const read = {
  ...{ id: 'pay_6516440196307917', status: 'PENDING', dueDate: '2023-04-27', value: 688.73, paidAt: null },
  ...{ bankSlipUrl: null, invoiceUrl: 'https://sandbox.asaas.com/i/6516440196307917' },
}

describe('a payment', () => {
  it.each<[string, object, object | null]>([
    ['as Asaas writes it', {}, {}],
    ['an unknown status', { status: 'NEW_STATUS' }, { status: 'NEW_STATUS' }],
    ['a Brazilian date with a time', { dueDate: '27/04/2023 10:00:00' }, { dueDate: '2023-04-27' }],
    ['a day that does not exist', { dueDate: '2023-02-31' }, null],
    ['no due date', { dueDate: null }, null],
    ['no status', { status: null }, null],
    ['deleted', { deleted: true }, null],
    ['numbers as texts', { value: '688.73', id: 6516440196307917 }, { id: '6516440196307917' }],
    ['no value', { value: null }, { value: 0 }],
    ['a negative value', { value: -5 }, { value: 0 }],
    ['an address that runs code', { invoiceUrl: 'javascript:alert(1)' }, { invoiceUrl: null }],
    ['an address without TLS', { invoiceUrl: 'http://asaas.com' }, { invoiceUrl: null }],
    ['an address that is none', { invoiceUrl: { a: 1 } }, { invoiceUrl: null }],
    ['the day on which it was paid', { clientPaymentDate: '2023-04-28' }, { paidAt: '2023-04-28' }],
    ['the day on which it was confirmed', { confirmedDate: '2023-04-28' }, { paidAt: '2023-04-28' }],
  ])('%s', (_, change, expected) => {
    expect(readPayment({ ...payment, ...change })).toEqual(expected && { ...read, ...expected })
  })

  it.each([[null], ['text'], [7], [[]]])('is not %j', (given) => {
    expect(readPayment(given)).toBeNull()
  })
})

it('names the customer of an event of any shape', () => {
  expect(customerOf({ payment: { customer: 'cus_1' } })).toBe('cus_1')
  expect(customerOf({ payment: { customer: { id: 'cus_1' } } })).toBe('cus_1')
  expect(customerOf({ payment: null, subscription: { customer: 'cus_2' } })).toBe('cus_2')
  for (const given of [null, [], 'x', {}, { payment: { customer: 7 } }]) expect(customerOf(given)).toBeNull()
})

it('joins the sentences of a refusal', () => {
  expect(refusalOf({ errors: [{ description: 'Um.' }, null, { code: 'x' }, { description: 'Dois.' }] })).toBe(
    'Um. Dois.',
  )
  for (const given of [null, {}, { errors: 'x' }, []]) expect(refusalOf(given)).toBe('')
})
