// An operation is described once. Routes, validation, types and the OpenAPI document follow from it.

import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import type { Access } from './access.ts'

export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for parameters, as OpenAPI writes them. */
  path: string
  summary: string
  access: Access
  params: Params
  query: Query
  body: Body
  response: Response
  /** The codes this operation may answer with, beside those that every operation may. */
  errors: readonly ErrorCode[]
}

/** Nothing is accepted here: a parameter that is not listed is refused by name. */
export const Nothing = z.strictObject({})

/** A body that carries nothing. */
export const NoBody = z.undefined()

/** The answer of an operation that has nothing to tell. */
export const Empty = z.strictObject({})

interface Description<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Response extends z.ZodType,
> extends Omit<Operation<Params, Query, Body, Response>, 'params' | 'query' | 'body' | 'errors'> {
  params?: Params
  query?: Query
  body?: Body
  errors?: readonly ErrorCode[]
}

export function operation<
  Response extends z.ZodType,
  Params extends z.ZodType = typeof Nothing,
  Query extends z.ZodType = typeof Nothing,
  Body extends z.ZodType = typeof NoBody,
>(
  description: Description<Params, Query, Body, Response>,
): Operation<Params, Query, Body, Response> {
  return {
    errors: [],
    // What is left out has its default's type, which the compiler cannot see from here.
    params: Nothing as unknown as Params,
    query: Nothing as unknown as Query,
    body: NoBody as unknown as Body,
    ...description,
  }
}
