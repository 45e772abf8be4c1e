import { Operation } from '../../../platform/call/endpoint.js';
import { Controller } from '@nestjs/common';
import { Sessions } from '../../../people/sign-in/sessions.service.js';
import { OperationError } from '../../../platform/errors.js';
import { Deleted, IdInput } from '../../../platform/schema/pages/page.dto.js';
import type { Caller } from '../caller.js';
import { Cookies } from '../cookies.js';
import { API_PATH, DASHBOARD } from '../dashboard.door.js';
import { EndedSessions, SessionRecord } from './sessions.dto.js';

const PATH = 'auth/sessions';

/** The sessions of the signed-in user. */
@Controller(API_PATH)
export class SessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly cookies: Cookies,
  ) {}

  @Operation({
    door: DASHBOARD,
    method: 'GET',
    path: PATH,
    summary: 'List the sessions of the user, the last used first',
    output: SessionRecord,
    list: true,
  })
  async list(_input: object, { session }: Caller) {
    return { items: await this.sessions.list(session!), nextCursor: null };
  }

  @Operation({
    door: DASHBOARD,
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'End a session at once',
    input: IdInput,
    output: Deleted,
  })
  async end({ id }: IdInput, { call, session }: Caller): Promise<Deleted> {
    if (!(await this.sessions.endById(session!.userId, id))) {
      throw new OperationError('not_found', 'There is no such session of yours');
    }
    if (id.toLowerCase() === session!.id) this.cookies.signOut(call);
    return { id, deleted: true };
  }

  @Operation({
    door: DASHBOARD,
    method: 'POST',
    path: `${PATH}/end-others`,
    summary: 'End all sessions but this one',
    output: EndedSessions,
  })
  async endOthers(_input: object, { session }: Caller): Promise<EndedSessions> {
    return { ended: await this.sessions.endOthers(session!) };
  }
}
