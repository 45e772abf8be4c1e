import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useChange } from '../../api/queries';
import { FormFailure } from '../../parts/failure';
import { notifyDone } from '../../parts/notify';
import { refused } from '../../parts/refused';
import { words } from '../../words';
import { useProof } from './proof';

interface Props {
  member: { userId: string; email: string };
  /** Whether in one's own place, or beside oneself. */
  inOwnPlace: boolean;
  onClose: () => void;
}

/** Makes another member an owner. */
export function OwnerDialog({ member: { userId, email }, inOwnPlace, onClose }: Props) {
  const transfer = useChange('POST stores/{storeId}/members/{userId}/transfer-ownership');
  const promote = useChange('PUT stores/{storeId}/members/{userId}');
  const client = useQueryClient();
  const router = useRouter();
  const proof = useProof();
  const errors = refused(transfer.error ?? promote.error, proof.given);
  const onTransferred = () => {
    notifyDone(words.members.transferred(email));
    // Read anew as a member of staff, who has no page of members.
    void client.invalidateQueries({ queryKey: ['stores'], refetchType: 'all' }).then(() => router.invalidate());
  };
  const onPromoted = () => {
    onClose();
    notifyDone(words.common.saved);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (inOwnPlace) transfer.mutate({ userId, ...proof.given }, { onSuccess: onTransferred });
    else promote.mutate({ userId, role: 'owner', ...proof.given }, { onSuccess: onPromoted });
  };
  return (
    <Modal opened onClose={onClose} title={inOwnPlace ? words.members.transferTo(email) : words.members.makeOwnerOf(email)}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormFailure text={errors.rest} />
          <Text size="sm">{inOwnPlace ? words.members.transferHint : words.members.makeOwnerHint}</Text>
          {proof.input(errors.of(proof.name), true)}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {words.common.cancel}
            </Button>
            <Button
              type="submit"
              color={inOwnPlace ? 'red.9' : undefined}
              loading={transfer.isPending || promote.isPending}
              disabled={proof.isPending}
            >
              {inOwnPlace ? words.members.transfer : words.members.makeOwner}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
