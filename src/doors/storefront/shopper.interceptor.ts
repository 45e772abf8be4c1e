import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { FirstContact } from '../../groups/customers/first-contact.service.js';
import { StoreDatabase } from '../../platform/store/store-database.js';
import { AfterCommit } from '../../platform/store/after-commit.js';
import { forbidden } from '../../platform/errors.js';
import { present, RawJson } from '../../platform/schema/present.js';
import type { StoreContext } from '../../platform/store/store-context.js';
import { FIND_SHOPPER, type ShopperRow } from './storefront.statements.js';
import { referrerOf } from './messenger-user.js';
import { shopperRouteOf, type Visitor } from './shopper-route.metadata.js';

/** A route's life after the guard: banned (403) → input (400) → transaction( handler ) → present → envelope. */
@Injectable()
export class ShopperInterceptor implements NestInterceptor {
  constructor(
    private readonly database: StoreDatabase,
    private readonly contacts: FirstContact,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<string> {
    const { call, visitor } = context.switchToHttp().getRequest<Request>();
    const { output } = shopperRouteOf(context.getHandler())!;
    const work = async (ctx: StoreContext) => {
      call.context = ctx;
      await this.admit(ctx, visitor);
      let data = await lastValueFrom<unknown>(next.handle());
      if (data instanceof AfterCommit) {
        await ctx.session.commit();
        data = await data.run();
      }
      const text = data instanceof RawJson ? data.text : JSON.stringify(present(output, data as object));
      return `{"ok":true,"data":${text}}`;
    };
    return from(this.database.inStore(call.principal!, work, call.requestId));
  }

  /** Whoever is not known yet becomes a customer, whichever route they come by first. */
  private async admit(ctx: StoreContext, { shopper, startParam }: Visitor): Promise<void> {
    const [known] = await ctx.session.read<ShopperRow>(FIND_SHOPPER, shopper.id);
    const { isBanned } = known ?? (await this.contacts.touch(ctx, shopper, referrerOf(startParam)));
    if (isBanned) throw forbidden('This shopper is banned from the store');
  }
}
